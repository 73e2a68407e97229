"""Studies of Kalah: report 003."""
