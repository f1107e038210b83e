"""``python -m train.shipped RUN...``: the players of finished runs become those that the package has."""

import sys
from pathlib import Path

from train.shipped import ship

for run in sys.argv[1:]:
    print(ship(Path(run)))
