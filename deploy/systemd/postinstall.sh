#!/bin/sh
# Makes the service known. It is not started: its settings come first.
set -e
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
	if systemctl is-active --quiet stoa; then
		systemctl restart stoa
	fi
fi
