#!/bin/sh
# Prepares podman, rootless podman and docker for the tests, without a registry: images with Python 3.14 and
# 3.11 made of Debian packages. Prints shell lines for the caller to evaluate:
#
#     eval "$(tests/support/container_images.sh)"
#
# Run as root on Debian with podman, docker.io, runc, uidmap and mmdebstrap. Run again, it only fills in what
# is missing. Touches nothing under /etc but the account of the rootless user.
set -eu

cache=${MCP_BRIDGE_TEST_CACHE:-/var/tmp/mcp-bridge-test}
user=mcp-bridge-test
image=localhost/mcp-bridge-test
versions="3.14 3.11"

say() { echo "container_images: $*" >&2; }

suite_of() {
  case $1 in
    3.14) echo forky ;;
    3.11) echo bookworm ;;
  esac
}

# Debian's crun refuses hybrid cgroups, and raising limits needs a capability that a CI machine may lack.
write_containers_conf() {
  cat > "$cache/containers.conf" <<'CONF'
[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
[engine]
runtime = "runc"
CONF
  CONTAINERS_CONF=$cache/containers.conf
  export CONTAINERS_CONF
}

make_tar() {
  tar=$cache/python-$1.tar
  [ -s "$tar" ] && return
  say "building Python $1 from Debian $(suite_of "$1")"
  root=$(mktemp -d "$cache/root.XXXXXX")
  mmdebstrap --quiet --aptopt='Acquire::Check-Valid-Until "false"' --variant=extract \
    --include=base-files,base-passwd,python3-minimal,libpython3-stdlib,tzdata \
    "$(suite_of "$1")" "$root.tar" >&2
  tar -xf "$root.tar" -C "$root"
  # Without bytecode every start would compile what it imports, since the root is read-only.
  chroot "$root" /usr/bin/python3 -m compileall -q "/usr/lib/python$1" >&2
  tar -C "$root" -cf "$tar.part" .
  mv "$tar.part" "$tar"
  rm -rf "$root" "$root.tar"
  chmod 644 "$tar"
}

import_images() { # command of a container CLI
  for version in $versions; do
    "$@" image inspect "$image:$version" > /dev/null 2>&1 ||
      "$@" import "$cache/python-$version.tar" "$image:$version" >&2
  done
}

# A program named podman that is podman of another user: for tests, just a path to a container CLI.
make_rootless_podman() {
  id "$user" > /dev/null 2>&1 || useradd --create-home --shell /usr/sbin/nologin "$user"
  grep -q "^$user:" /etc/subuid || usermod --add-subuids 200000-265535 --add-subgids 200000-265535 "$user"
  home=$cache/rootless/home
  # Podman refuses a longer path than 50 characters, and only when it cleans up.
  run=/run/$user
  mkdir -p "$home" "$run"
  chown "$user" "$home" "$run"
  chmod 700 "$home" "$run"
  # Left alone, podman falls back to copying the whole image for each container.
  cat > "$cache/rootless/storage.conf" <<CONF
[storage]
driver = "overlay"
CONF
  cat > "$cache/rootless/podman" <<WRAPPER
#!/bin/sh
exec setpriv --reuid $user --regid $user --init-groups env HOME=$home XDG_RUNTIME_DIR=$run \\
  CONTAINERS_CONF=$cache/containers.conf CONTAINERS_STORAGE_CONF=$cache/rootless/storage.conf podman "\$@"
WRAPPER
  chmod 755 "$cache/rootless/podman"
}

start_dockerd() {
  docker info > /dev/null 2>&1 && return
  say "starting dockerd"
  mkdir -p "$cache/docker"
  setsid dockerd --iptables=false --ip6tables=false --bridge=none --data-root "$cache/docker" \
    > "$cache/dockerd.log" 2>&1 < /dev/null &
  tries=0
  until docker info > /dev/null 2>&1; do
    tries=$((tries + 1))
    [ "$tries" -lt 60 ] || { tail -5 "$cache/dockerd.log" >&2; say "dockerd does not answer"; exit 1; }
    sleep 0.5
  done
}

mkdir -p "$cache"
chmod 755 "$cache"
cd "$cache"
write_containers_conf
for version in $versions; do make_tar "$version"; done

say "podman (root)"
import_images podman
say "podman (rootless)"
make_rootless_podman
import_images "$cache/rootless/podman"
say "docker"
start_dockerd
import_images docker

echo "export CONTAINERS_CONF='$cache/containers.conf'"
echo "export MCP_BRIDGE_TEST_PODMAN_ROOTLESS='$cache/rootless/podman'"
