# Makes and checks the program's own Python environment, .venv beside the code.
# Sourced by ./meldwatch and ./check, which set $root (the checkout) first. POSIX sh.
#
#   environment_is_ready run|dev   true when .venv was finished for this lock, Python and folder
#   set_up run|dev                 makes it so, or explains what is missing and exits 1
#
# A finished environment holds a stamp, .venv/ready-run or .venv/ready-dev, written last: an
# interrupted set-up leaves none, and the next start begins again. The development lock holds the
# same versions of everything in the running one (a test keeps this), so .venv serves both.

venv=$root/.venv

say() { printf 'meldwatch: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

lock_of() {
    case $1 in
        run) printf '%s\n' "$root/requirements.txt" ;;
        dev) printf '%s\n' "$root/requirements-dev.txt" ;;
    esac
}

# What the stamp must say: the lock's content, the Python behind the environment (a system upgrade
# swaps it) and the folder (an environment does not survive being moved).
stamp_of() {
    hash=$(sha256sum <"$(lock_of "$1")") || return 1
    python=$(readlink -f "$venv/bin/python") || return 1
    printf '%s %s %s\n' "${hash%% *}" "$python" "$root"
}

environment_is_ready() {
    [ -x "$venv/bin/python" ] && [ -r "$venv/ready-$1" ] || return 1
    wanted=$(stamp_of "$1") || return 1
    IFS= read -r found <"$venv/ready-$1" || return 1
    [ "$found" = "$wanted" ]
}

# The first Python that runs, is of a version the lock covers, and is a 64-bit program. A name on
# PATH proves nothing: version managers leave names there that only print an error.
find_python() {
    for candidate in ${MELDWATCH_PYTHON:-python3.13 python3.12 python3.11 python3}; do
        if "$candidate" -c 'import struct, sys
sys.exit(not ((3, 11) <= sys.version_info[:2] <= (3, 13) and struct.calcsize("P") == 8))' \
            >/dev/null 2>&1; then
            command -v "$candidate"
            return 0
        fi
    done
    return 1
}

# apt_install WHY PACKAGE...: installs where it may without asking; else says the line to type.
apt_install() {
    why=$1
    shift
    command -v apt-get >/dev/null 2>&1 ||
        die "$why needs what Debian calls: $*. Install it with your system's own tool, then start again."
    if [ "$(id -u)" -eq 0 ]; then
        as_root=
    elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
        as_root='sudo -n'
    else
        say "$why needs the system packages: $*. I may not install them myself. Type this, then start again:"
        printf 'sudo apt-get update && sudo apt-get install --yes %s\n' "$*" >&2
        exit 1
    fi
    say "Installing system packages for $why: $* (up to a minute)."
    # shellcheck disable=SC2086 # as_root is empty or two words
    {
        $as_root apt-get -q update &&
            $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=120 \
                install --yes --no-install-recommends "$@"
    } >"$venv-apt.log" 2>&1 || {
        tail -n 15 "$venv-apt.log" >&2
        die "The system packages could not be installed; the lines above say why. Start again when that is mended."
    }
    rm -f "$venv-apt.log"
}

# What OpenCV's wheel expects from the system. All of it at once: whoever has to ask for it asks once.
opencv_packages() {
    if apt-cache show libglib2.0-0t64 >/dev/null 2>&1; then
        glib=libglib2.0-0t64 # its name since Debian 13
    else
        glib=libglib2.0-0
    fi
    echo libgl1 libxcb1 "$glib"
}

# False where the linker's list lacks one of them; without such a list, importing will tell.
opencv_libraries_are_there() {
    known=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null) || return 0
    for library in libGL.so.1 libxcb.so.1 libgthread-2.0.so.0; do
        case $known in *"$library"*) ;; *) return 1 ;; esac
    done
}

# Debian packages that bring a shared library which a wheel expects from the system.
packages_of_library() {
    case $1 in
        libGL.so.* | libxcb.so.* | libglib-2.0.so.* | libgthread-2.0.so.*) opencv_packages ;;
        libX11.so.*) echo libx11-6 ;;
        libSM.so.*) echo libsm6 ;;
        libICE.so.*) echo libice6 ;;
        libgomp.so.*) echo libgomp1 ;;
        libstdc++.so.*) echo libstdc++6 ;;
        libatomic.so.*) echo libatomic1 ;;
        libz.so.*) echo zlib1g ;;
        *) return 1 ;;
    esac
}

# Imports what has compiled parts, and installs each system library that proves to be missing.
try_imports() {
    tries=0
    until trouble=$("$venv/bin/python" -c 'import cv2, numpy, onnxruntime' 2>&1); do
        tries=$((tries + 1))
        library=$(printf '%s\n' "$trouble" | sed -n 's/^ImportError: \(lib[^:]*\): cannot open shared object.*/\1/p')
        if [ "$tries" -gt 8 ] || [ -z "$library" ]; then
            printf '%s\n' "$trouble" >&2
            die "The libraries were installed but do not load; the lines above say why."
        fi
        packages=$(packages_of_library "$library") ||
            die "The system library $library is missing, and I do not know which package brings it."
        # shellcheck disable=SC2086 # several words are meant
        apt_install "reading pictures" $packages
    done
}

pip_install() {
    lock=$(lock_of "$1")
    # Settings meant for other installations would put the packages somewhere else.
    if ! env -u PIP_USER -u PIP_TARGET -u PIP_PREFIX -u PIP_ROOT \
        "$venv/bin/python" -m pip install -qq --disable-pip-version-check --no-input \
        --require-hashes --only-binary :all: -r "$lock" >&2; then
        die "The libraries could not be fetched or installed; the lines above say why. Check the network connection, then start again."
    fi
}

write_stamp() {
    stamp_of "$1" >"$venv/ready-$1.part"
    mv "$venv/ready-$1.part" "$venv/ready-$1"
}

new_environment() {
    python=$(find_python) || die "This needs Python 3.11, 3.12 or 3.13 (64 bit); none was found. Debian and Raspberry Pi OS have it as the package python3."
    wanted=
    if ! "$python" -c 'import ensurepip, venv' >/dev/null 2>&1; then
        version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
        wanted=python$version-venv
    fi
    opencv_libraries_are_there || wanted="$wanted $(opencv_packages)"
    # shellcheck disable=SC2086 # several words are meant
    [ -z "$wanted" ] || apt_install "an environment of its own" $wanted
    say "Setting up in .venv (first start, or the libraries' list changed): about 110 MB to fetch."
    say "One to two minutes on a laptop, up to ten on a Raspberry Pi. Later starts skip this."
    "$python" -m venv --clear "$venv" || die "Python could not make an environment in $venv."
    pip_install run
    site=$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
    printf '%s\n' "$root" >"$site/meldwatch.pth"
    try_imports
    write_stamp run
}

set_up() {
    unset PYTHONHOME PYTHONPATH
    { : >>"$venv-setup.lock"; } 2>/dev/null || die "I cannot write in $root, where .venv belongs."
    exec 9>>"$venv-setup.lock"
    if command -v flock >/dev/null 2>&1 && ! flock -n 9; then
        say "Another start is setting up already; waiting for it."
        flock 9
    fi
    environment_is_ready run || new_environment
    if [ "$1" = dev ] && ! environment_is_ready dev; then
        say "Adding the tools for development to .venv (under a minute)."
        pip_install dev
        write_stamp dev
    fi
    exec 9>&-
    say "Ready."
}
