#!/usr/bin/env bash
# Unpacks the servers of Debian's unstable release into a folder: MySQL, and newer versions of MariaDB, Redis, Valkey and
# etcd than the build brings. Nothing is installed. Each program starts with the libraries of that release.
#
#   bash lock-servers/newer-servers.sh FOLDER        # the programs are in FOLDER/bin, that of MariaDB in FOLDER/mariadb
#
# Needs apt, and 700 MB. CONTRIBUTING.md tells how the tests use the programs.
set -euo pipefail

folder=$(mkdir -p "${1:?the folder is missing}" && cd "$1" && pwd)
packages=(mysql-server-core redis-server redis-tools valkey-server valkey-tools etcd-server
        libaio1t64 libnuma1 libpcre2-8-0 libsystemd0 liburing2)
programs=(mysqld redis-server valkey-server etcd)

apt=$folder/apt
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep '/debian/*$' | head -1)
mkdir -p "$apt"/etc/apt/{apt.conf.d,preferences.d,trusted.gpg.d,sources.list.d} "$apt"/var/lib/apt/lists/partial \
        "$apt"/var/lib/dpkg "$apt"/var/cache/apt/archives/partial
touch "$apt/var/lib/dpkg/status"
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror sid main" > "$apt/etc/apt/sources.list"
cat > "$apt/apt.conf" <<END
Dir "$apt";
Dir::State::status "$apt/var/lib/dpkg/status";
APT::Install-Recommends "false";
APT::Sandbox::User "root";
Acquire::Languages "none";
Acquire::Check-Valid-Until "false";
END
export APT_CONFIG=$apt/apt.conf
apt-get -q update
apt-get -q -y --download-only install "${packages[@]}"

for archive in "$apt"/var/cache/apt/archives/*.deb; do
    dpkg-deb -x "$archive" "$folder/root"
done
# a package that cannot be installed beside mysql-server-core, and has a file of the same name
(cd "$apt/var/cache/apt" && apt-get -q download mariadb-server-core && dpkg-deb -x mariadb-server-core_*.deb "$apt/mariadb")
mkdir -p "$folder/mariadb/bin"
cp -r "$apt/mariadb/usr/share/mariadb" "$folder/mariadb/share"

loader=$(find "$folder/root/usr/lib" -path '*-linux-gnu/ld-linux-*.so.*')
libraries=$(dirname "$loader")
launcher() {
    printf '#!/bin/sh\nexec %s --library-path %s %s "$@"\n' "$loader" "$libraries" "$1" > "$2"
    chmod +x "$2"
    "$2" --version | sed -n 1p
}
mkdir -p "$folder/bin"
for program in "${programs[@]}"; do
    launcher "$(find "$folder"/root/usr/{bin,sbin} -name "$program")" "$folder/bin/$program"
done
launcher "$apt/mariadb/usr/sbin/mariadbd" "$folder/mariadb/bin/mariadbd"
