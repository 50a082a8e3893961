#!/bin/sh
# Checks the memory of the repository it is started in; exit 1 on a problem.
# Needs git and Python 3.11+. Run it after a push, from cron, or by hand.
set -eu
command -v hipogit >/dev/null 2>&1 || pip install -q hipogit
hipogit verify --fetch
hipogit scan --rev HEAD
