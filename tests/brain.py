"""A brain of Gomocup's protocol in a few lines, run as `python -S brain.py LOG MODE`: it plays the
free cells one after the other, and in most modes does something wrong when it is asked for a move.
It writes down what it was told. It imports next to nothing, so it starts at once.
"""

import subprocess
import sys
import time

LOG, MODE = sys.argv[1:3]
free: list[tuple[int, int]] = []


def say(text: str) -> None:
    sys.stdout.write(text + "\r\n")
    sys.stdout.flush()


def move() -> None:
    if MODE in ("hang", "fork"):
        time.sleep(1000)
    elif MODE == "die":
        sys.exit(3)
    elif MODE == "greedy":
        held = [bytes([1]) * (1 << 20) for _ in range(200)]
        time.sleep(1000)
        say(str(len(held)))
    elif MODE == "nonsense":
        say("good morning")
    elif MODE == "outside":
        say("99,0")
    elif MODE == "taken":
        say("{},{}".format(*taken[0]))
    elif MODE == "error":
        say("ERROR no idea")
    elif MODE == "flood":
        while True:
            sys.stdout.write("MESSAGE blah blah\n" * 1000)
    elif MODE == "endless":
        while True:
            sys.stdout.write("x" * 1000)
    else:
        say("DEBUG nobody reads this")
        say("MESSAGE depth 1")
        say("MESSAGE depth 2")
        if MODE == "suggest":
            say("SUGGEST {},{}".format(*free[0]))
            return
        say("{},{}".format(*free[0]))
        taken.append(free.pop(0))


if MODE == "fork":
    SLEEP = [sys.executable, "-S", "-c", "import time; time.sleep(1000)"]
    child = subprocess.Popen(SLEEP, start_new_session=True)
    other = subprocess.Popen(SLEEP)
    LEAVE = f"import subprocess; print(subprocess.Popen({SLEEP!r}, stdout=subprocess.DEVNULL, start_new_session=True).pid)"
    orphan = int(subprocess.check_output([sys.executable, "-S", "-c", LEAVE]))
    with open(LOG + ".children", "w") as file:
        file.write(f"{child.pid} {other.pid} {orphan}")
if MODE == "mute":
    time.sleep(1000)
if MODE == "early":
    sys.exit(1)
taken: list[tuple[int, int]] = []
listing = ""
with open(LOG, "a") as log:
    for line in sys.stdin:
        line = line.strip()
        log.write(line + "\n")
        log.flush()
        words = line.split()
        if line in ("BOARD", "SWAP2BOARD"):
            listing = line
        elif line == "DONE" and listing == "SWAP2BOARD":
            listing = ""
            say(MODE.partition("=")[2].replace("_", " ") or "UNKNOWN")
        elif line == "DONE":
            listing = ""
            move()
        elif listing:
            x, y, *_ = map(int, line.split(","))
            taken.append((x, y))
            free = [cell for cell in free if cell != (x, y)]
        elif words[0] in ("START", "RECTSTART"):
            width, height = (
                (words[1].split(",") * 2)[:2] if "," in words[1] else (words[1], words[1])
            )
            free, taken = [(x, y) for y in range(int(height)) for x in range(int(width))], []
            say("ERROR too small" if MODE == "refuse" else "OK - ready")
        elif words[0] == "TURN":
            x, y = map(int, words[1].split(","))
            taken.append((x, y))
            free.remove((x, y))
            move()
        elif words[0] == "PLAY":
            x, y = map(int, words[1].split(","))
            free.remove((x, y))
            say(words[1])
        elif words[0] == "BEGIN":
            move()
        elif words[0] == "END" and MODE != "stay":
            break
