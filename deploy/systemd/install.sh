#!/bin/sh
# As root, on a machine with Node and systemd: sh install.sh inlay-0.1.0.tgz. Installs the package, the user, the folder of settings and
# the units of this folder. It starts nothing and keeps every file of /etc/inlay that is there, so that it also installs a newer release.
# With ROOT set it writes below that folder, makes no user and calls no systemd.
set -eu
package=$(readlink -f "${1:?the tarball of the package}")
units=$(dirname "$(readlink -f "$0")")
root=${ROOT:-}

if [ -z "$root" ] && ! getent passwd inlay > /dev/null; then
  useradd --system --user-group --home-dir /var/lib/inlay --shell /usr/sbin/nologin inlay
fi

install -d -m 0755 "$root/opt" "$root/usr/bin" "$root/etc/systemd/system"
# exactly what the lock file in the tarball names, and no install script of any package runs
new=$root/opt/inlay.new
rm -rf "$new"
install -d -m 0755 "$new"
tar -xzf "$package" -C "$new" --strip-components=1 --no-same-owner
(cd "$new" && npm ci --omit=dev --ignore-scripts --no-audit --no-fund && node bin/patch-driver.js)
rm -rf "$root/opt/inlay.old"
[ ! -e "$root/opt/inlay" ] || mv "$root/opt/inlay" "$root/opt/inlay.old"
mv "$new" "$root/opt/inlay"
rm -rf "$root/opt/inlay.old"
ln -sfn /opt/inlay/bin/run.js "$root/usr/bin/inlay"
install -m 0644 "$units"/*.service "$root/etc/systemd/system/"

# systemd reads the secrets as root and hands them to the units; nobody else may
install -d -m 0700 "$root/etc/inlay"
umask 077
keep() {
  [ -e "$root/etc/inlay/$1" ] || cat > "$root/etc/inlay/$1"
}
openssl rand -hex 32 | keep secret
echo 'postgres://inlay_service:PASSWORD@HOST:5432/inlay' | keep database_url
echo 'postgres://inlay_owner:PASSWORD@HOST:5432/inlay' | keep owner_url
# the login of a person, who is a member of inlay_admin (docs/operations.md, "A login for each person")
echo 'postgres://NAME:PASSWORD@HOST:5432/inlay' | keep admin_url
echo 'postgres://inlay_auditor:PASSWORD@HOST:5432/inlay' | keep audit_url
keep settings << 'SETTINGS'
# settings without secrets, for API and workers (docs/settings.md)
INLAY_VENUES=paper
# INLAY_PUBLIC_URL=https://markets.example
# INLAY_TRUSTED_PROXIES=127.0.0.1
SETTINGS
keep commands << 'COMMANDS'
# for the commands of the service operator: set -a; . /etc/inlay/commands; inlay doctor
# Before it, INLAY_LOGIN=FILE names the file with your own login.
NODE_ENV=production
INLAY_DATA_DIR=/var/lib/inlay/commands
INLAY_SECRET_FILE=/etc/inlay/secret
DATABASE_URL_FILE=/etc/inlay/database_url
DATABASE_OWNER_URL_FILE=/etc/inlay/owner_url
DATABASE_ADMIN_URL_FILE=${INLAY_LOGIN:-/etc/inlay/admin_url}
DATABASE_AUDIT_URL_FILE=/etc/inlay/audit_url
INLAY_API_URL=http://127.0.0.1:8081
. /etc/inlay/settings
COMMANDS

[ -n "$root" ] || systemctl daemon-reload
