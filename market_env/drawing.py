def draw_text(p): return ""
def draw_svg(p, theme): return ""
