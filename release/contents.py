"""What a wheel must and must not contain."""

from __future__ import annotations

import zipfile
from email import message_from_bytes
from email.message import Message
from fnmatch import fnmatch
from pathlib import Path

from release.description import relative_links

TARGETS = ("x86-64-v2", "x86-64-v3", "x86-64-v4", "aarch64")
PACKAGES = ("tower_core", "torres_env", "market_env", "agents", "train", "towers")
REQUIRED = (
    *(f"{package}/{name}" for package in PACKAGES for name in ("__init__.py", "py.typed")),
    "tower_core/fonts/*.ttf",
    "market_env/*.toml",
    "train/arena/published/*.json",
    "train/shipped/torres/policy.zip",
    "train/shipped/market/policy.zip",
    "train/shipped/market-full/policy.zip",
    "towers/pictures/page.html",
    "towers/web/static/*.js",
    "towers/web/static/*.css",
    *(f"torres_env/machine_code/*-{target}.kernel" for target in TARGETS),
    *(f"{package}/machine_code/*-aarch64.kernel" for package in ("tower_core", "market_env", "agents")),
    "*.dist-info/entry_points.txt",
    "*.dist-info/licenses/LICENSE",
)
FORBIDDEN = ("*/__pycache__/*", "*.pyc", "*.nb[ic]", "*.partial", "*.so", "*/runs/*", "*/tests/*", "*~")
FIELDS = ("Name", "Version", "Summary", "License-Expression", "Requires-Python", "Keywords", "Classifier")
MOST_BYTES = 6_000_000


def problems(wheel: Path) -> list[str]:
    """What is wrong with a wheel, one line each."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        [metadata] = [archive.read(name) for name in names if name.endswith(".dist-info/METADATA")]
    found = [f"{pattern} is missing" for pattern in REQUIRED if not any(fnmatch(name, pattern) for name in names)]
    found += [f"{name} doesn't belong there" for name in names if any(fnmatch(name, bad) for bad in FORBIDDEN)]
    folders = {name.split("/")[0] for name in names if ".dist-info/" not in name}
    found += [f"{name} is not a package of the suite" for name in sorted(folders - set(PACKAGES))]
    if (size := wheel.stat().st_size) > MOST_BYTES:
        found.append(f"{size:,} bytes; at most {MOST_BYTES:,}")
    return found + _metadata_problems(message_from_bytes(metadata))


def _metadata_problems(metadata: Message) -> list[str]:
    found = [f"the metadata have no {name}" for name in FIELDS if not metadata[name]]
    own = metadata["Name"] or ""
    extras = set(metadata.get_all("Provides-Extra", []))
    for requirement in metadata.get_all("Requires-Dist", []):
        if requirement.startswith(f"{own}["):
            wanted = set(requirement.partition("[")[2].partition("]")[0].split(","))
            found += [f"{requirement}: no such extra" for _ in wanted - extras]
    if metadata.get_content_type() == "text/plain" and not metadata["Description-Content-Type"]:
        found.append("the description has no content type")
    text = str(metadata.get_payload())
    if len(text) < 1000:
        found.append("the description is not the README")
    return found + [f"the description has a relative link: {target}" for target in relative_links(text)]
