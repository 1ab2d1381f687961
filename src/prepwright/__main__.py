"""Run the command as `python -m prepwright`."""

from prepwright.cli import main

if __name__ == "__main__":
    main()
