import sys
from pathlib import Path

# The scripts are run from their folder and import each other by name.
sys.path.insert(0, str(Path(__file__).parent.parent))
