"""The emulated machines, and how to start a kernel on one."""

import pathlib
import re
import shutil
import subprocess
import threading
from typing import NamedTuple


class Error(Exception):
    """What the user has to know and can do something about."""


class Machine(NamedTuple):
    architecture: str  # of its kernel, in Debian's words
    kernel: str  # the Debian metapackage that depends on the newest kernel
    qemu: str
    qemu_package: str
    options: str
    parameters: str


# Some of what a kernel does at every syscall costs an emulator ten times the rest, and tests would
# take minutes. So arm64 has kpti=off, against changing page tables; and arm has the LPAE kernel,
# which has no memory domains to change, on a Cortex-A7, which has no branch predictor to clear.
# On amd64, without tsc=reliable, emulation makes the kernel distrust its TSC: the vDSO would trap.
MACHINES = {
    "amd64": Machine(
        architecture="amd64",
        kernel="linux-image-cloud-amd64",
        qemu="qemu-system-x86_64",
        qemu_package="qemu-system-x86",
        options="-M pc,usb=off,vmport=off -cpu max -vga none",
        parameters="console=ttyS0 tsc=reliable",
    ),
    "arm": Machine(
        architecture="armhf",
        kernel="linux-image-armmp-lpae",
        qemu="qemu-system-arm",
        qemu_package="qemu-system-arm",
        options="-M virt,gic-version=2,highmem=off -cpu cortex-a7",
        parameters="console=ttyAMA0",
    ),
    "arm64": Machine(
        architecture="arm64",
        kernel="linux-image-cloud-arm64",
        qemu="qemu-system-aarch64",
        qemu_package="qemu-system-arm",
        options="-M virt,gic-version=2 -cpu cortex-a57",
        parameters="console=ttyAMA0 kpti=off",
    ),
}

# Plain emulation, even where there is KVM: it is alike on every host. Half of the memory is the
# most that the initramfs can take.
_OPTIONS = (
    "-m 512 -smp 1 -accel tcg,thread=single -nodefaults -no-user-config -nographic -no-reboot"
    " -net none -serial stdio"
)

# A panic ends QEMU at once; self-tests of the kernel's cryptography take a second or more.
_PARAMETERS = "quiet panic=-1 mitigations=off cryptomgr.notests"

# Firmware clears the screen, which is the user's terminal here.
_ESCAPES = re.compile(r"\x1b(\[[0-9;?=]*[A-Za-z]|.)|[\x00-\x08\x0b-\x1f]")


def fetch(machine):
    """Returns the path of the machine's kernel, or None when it cannot be downloaded now."""
    script = pathlib.Path(__file__).with_name("fetch_kernel.sh")
    fetched = subprocess.run(
        [script, machine.architecture, machine.kernel],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if fetched.returncode == 75:  # EX_TEMPFAIL of sysexits.h
        return None
    if fetched.returncode != 0:
        raise Error(f"cannot get the kernel {machine.kernel}, see above")
    return fetched.stdout.strip()


def boot(machine, kernel, initramfs, parameters="", timeout=600):
    """Yields the lines of the console until the machine ends, at the latest after `timeout` s."""
    qemu = shutil.which(machine.qemu)
    if not qemu:
        raise Error(f"{machine.qemu} is missing: apt-get install {machine.qemu_package}")
    command = [qemu, *machine.options.split(), *_OPTIONS.split()]
    command += ["-kernel", kernel, "-initrd", initramfs]
    command += ["-append", f"{machine.parameters} {_PARAMETERS} {parameters}"]
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        watchdog = threading.Timer(timeout, process.kill)
        watchdog.start()
        try:
            for line in process.stdout:
                yield _ESCAPES.sub("", line.decode(errors="replace").rstrip("\r\n"))
        finally:
            watchdog.cancel()
            process.kill()
