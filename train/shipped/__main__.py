"""``python -m train.shipped RUN...`` copies the networks of finished runs into the package."""

import sys
from pathlib import Path

from train.shipped import ship

for run in sys.argv[1:]:
    print(ship(Path(run)))
