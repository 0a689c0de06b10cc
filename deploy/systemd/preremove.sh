#!/bin/sh
# Ends the service when the package is removed, and not when it is replaced by another version.
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
	systemctl disable --now stoa
fi
