import os
import sys
from pathlib import Path

# The tests read the English messages of the terminal.
os.environ["LANGUAGE"] = "en"
# The scripts are run from their folder and import each other by name.
sys.path.insert(0, str(Path(__file__).parent.parent))
