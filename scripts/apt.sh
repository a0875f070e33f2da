# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Functions that download Debian packages without a change to the system's apt: they use a
# private apt state in the cache. The mirrors come from this machine's apt configuration, so
# this project names no host. apt verifies signatures with Debian's archive keyring.
# Sourced after lib.sh, never run.

APT_DIR=$CACHE/apt
DEBS=$CACHE/debs
APT_KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg
APT_LISTS_MAX_AGE_MIN=60
POOL_TBL=$TOP/scripts/pool.tbl

# Print "URI|release|origin" of each source of this machine. apt reads them, so one-line and
# deb822 sources both work.
system_sources() {	# system_sources OPTION...
	# shellcheck disable=SC2016  # apt expands these
	apt-get indextargets "$@" --format '$(REPO_URI)|$(RELEASE)|$(ORIGIN)' \
		'Created-By: Packages' 'Component: main' 2>/dev/null
}

# Print the URI of the archive (main) or of its security updates (security). apt learns the
# origin of a source from its package lists. On a machine without package lists, the name of
# the release decides instead.
mirror_uri() {	# mirror_uri main|security
	{
		system_sources | grep '|Debian$' || true
		system_sources --no-release-info |
			grep -E '[|](bookworm|trixie|forky|oldstable|stable|testing)(-[a-z]*)?[|]' || true
	} | awk -F'|' -v class="$1" '
		!uri && ($2 ~ /-security$/) == (class == "security") { uri = $1 }
		END { print uri }'
}

# Print the lines of a sources.list for these suites.
sources_of() {	# sources_of SUITE...
	local main security suite
	main=$(mirror_uri main)
	[ -n "$main" ] || die "this machine's apt configuration names no Debian mirror"
	security=$(mirror_uri security)
	# A mirror serves the security archive next to the main archive.
	: "${security:=${main%/}-security/}"
	for suite in "$@"; do
		case $suite in
		*-security)	echo "deb [signed-by=$APT_KEYRING] $security $suite main" ;;
		*)		echo "deb [signed-by=$APT_KEYRING] $main $suite main" ;;
		esac
	done | sort -u
}

apt_sources() {
	# shellcheck disable=SC2046  # words
	sources_of $(table_rows | awk '{ print $3; print $6 }') bookworm bookworm-backports
}

# Print this machine's settings for downloads, such as proxies and certificates.
acquire_conf() {
	apt-config dump | grep '^Acquire::' |
		grep -v '^Acquire::\(IndexTargets\|Languages\|GzipIndexes\)'
}

# Print the configuration of the private apt. Only the Acquire settings are the machine's.
# The status file is empty, so no package counts as installed.
apt_conf() {
	acquire_conf
	cat <<-EOF
	Dir::State "$APT_DIR/state";
	Dir::State::lists "$APT_DIR/lists";
	Dir::State::status "$APT_DIR/status";
	Dir::Cache "$APT_DIR/cache";
	Dir::Etc::sourcelist "$APT_DIR/sources.list";
	Dir::Etc::sourceparts "/dev/null";
	Dir::Etc::main "/dev/null";
	Dir::Etc::parts "/dev/null";
	Dir::Etc::preferences "/dev/null";
	Dir::Etc::preferencesparts "/dev/null";
	Dir::Log "$APT_DIR/log";
	APT::Architecture "$(dpkg --print-architecture)";
	APT::Architectures { "amd64"; "arm64"; };
	APT::Sandbox::User "root";
	APT::Update::Error-Mode "any";
	Acquire::Languages "none";
	Acquire::Retries "3";
	Acquire::http::Timeout "30";
	Acquire::https::Timeout "30";
	EOF
}

private_apt() { APT_CONFIG=$APT_DIR/apt.conf apt-get "$@"; }

# Create the private state, and update its package lists if they are old or if the sources
# changed. The caller holds the lock "apt".
apt_ready() {
	[ -r "$APT_KEYRING" ] || die "$APT_KEYRING is missing (package debian-archive-keyring)"
	mkdir -p "$APT_DIR"/{state,lists/partial,cache/archives/partial,log} "$DEBS"
	[ -e "$APT_DIR/status" ] || : >"$APT_DIR/status"
	apt_conf >"$APT_DIR/apt.conf.new"
	mv "$APT_DIR/apt.conf.new" "$APT_DIR/apt.conf"
	apt_sources >"$APT_DIR/sources.list.new"
	if cmp -s "$APT_DIR/sources.list.new" "$APT_DIR/sources.list" &&
	   [ -n "$(find "$APT_DIR/stamp" -mmin "-$APT_LISTS_MAX_AGE_MIN" 2>/dev/null)" ]; then
		return
	fi
	mv "$APT_DIR/sources.list.new" "$APT_DIR/sources.list"
	rm -f "$APT_DIR/stamp"
	say "  reading the mirror's package lists"
	private_apt update -q >"$APT_DIR/update.log" 2>&1 ||
		die "the Debian mirror cannot be read (is there a network?): $(grep -m1 '^E:' "$APT_DIR/update.log" || tail -n1 "$APT_DIR/update.log")"
	touch "$APT_DIR/stamp"
}

# Print "package version depends..." for each package of a suite and architecture. The
# packages in pool.tbl come first.
apt_packages() {	# apt_packages SUITE DEBARCH
	local list
	awk -v suite="$1" -v arch="$2" '
		$1 == suite && ($2 == arch || $2 == "all") { $1 = $2 = $5 = $6 = ""; $0 = $0; $1 = $1; print }' "$POOL_TBL"
	# shellcheck disable=SC2016  # apt expands it
	list=$(private_apt indextargets --format '$(FILENAME)' 'Created-By: Packages' \
		"Release: $1" "Architecture: $2")
	[ -n "$list" ] || die "the mirror offers no package list for $1 on $2"
	/usr/lib/apt/apt-helper cat-file "$list" | awk '
		/^Package: / { p = $2 }
		/^Version: / { v = $2 }
		/^Depends: / { d = substr($0, 9); gsub(/\([^)]*\)|,/, "", d) }
		/^$/ { print p, v, d; p = v = d = "" }
		END { if (p != "") print p, v, d }'
}

# Download packages into the current directory. The packages of pool.tbl are in no package
# list, so they are downloaded by their paths.
download() {	# download NAME:ARCH=VERSION...
	local spec hash path listed=()
	for spec in "$@"; do
		read -r hash path < <(pool_entry "$spec") || true
		if [ -z "$path" ]; then listed+=("$spec"); continue; fi
		APT_CONFIG=$APT_DIR/apt.conf /usr/lib/apt/apt-helper download-file \
			"$(mirror_uri main | sed 's#/*$#/#')${path//+/%2b}" "${path##*/}" "SHA256:$hash" || return
	done
	if [ ${#listed[@]} -gt 0 ]; then private_apt download -q "${listed[@]}"; fi
}

# Print the hash and the path of a package in pool.tbl.
pool_entry() {	# pool_entry NAME:ARCH=VERSION
	local rest=${1#*:}
	awk -v name="${1%%:*}" -v arch="${rest%%=*}" -v version="${rest#*=}" '
		$3 == name && ($2 == arch || $2 == "all") && $4 == version { print $5, $6 }' "$POOL_TBL"
}

# Download the packages that the cache lacks, and print the paths of all their files.
apt_fetch() {	# apt_fetch NAME:ARCH=VERSION...
	local spec file need=()
	for spec in "$@"; do
		file=$(deb_file "$spec")
		if [ ! -s "$file" ]; then need+=("$spec"); fi
	done
	if [ ${#need[@]} -gt 0 ]; then
		rm -rf "$DEBS/partial"
		mkdir -p "$DEBS/partial"
		(cd "$DEBS/partial" && download "${need[@]}" >"$APT_DIR/download.log" 2>&1) ||
			die "cannot download ${need[*]}: $(grep -m1 '^E:' "$APT_DIR/download.log" || tail -n1 "$APT_DIR/download.log")"
		mv "$DEBS/partial"/*.deb "$DEBS/"
	fi
	for spec in "$@"; do deb_file "$spec"; done
}

# Download packages and unpack them into DIR, in the versions of a list of apt_packages on stdin.
# SUITES is for the message about a missing package.
apt_unpack() {	# apt_unpack DIR SUITES DEBARCH PACKAGE...
	local dir=$1 suites=$2 deb_arch=$3 list package version specs=() files file
	shift 3
	list=$(cat)
	for package in "$@"; do
		version=$(awk -v name="$package" '$1 == name { print $2; exit }' <<<"$list")
		[ -n "$version" ] || die "$suites has no $package for $deb_arch"
		specs+=("$package:$deb_arch=$version")
	done
	files=$(apt_fetch "${specs[@]}")
	for file in $files; do dpkg -x "$file" "$dir"; done
}

# Print the path of a downloaded package. apt names the file "_all" if the package is for all
# architectures, so look for both names.
deb_file() {	# deb_file NAME:ARCH=VERSION
	local name=${1%%:*} rest=${1#*:} version file
	version=${rest#*=}
	version=${version//:/%3a}
	for file in "$DEBS/${name}_${version}_${rest%%=*}.deb" "$DEBS/${name}_${version}_all.deb"; do
		if [ -s "$file" ]; then echo "$file"; return; fi
	done
}

# Make $CACHE/chroots/NAME, a minimal Debian of SUITE with some packages. Another list of
# packages replaces the directory.
make_chroot() {	# make_chroot NAME SUITE PACKAGE...
	local dir=$CACHE/chroots/$1 suite=$2
	shift 2
	if [ "$(cat "$dir/.objtrace-packages" 2>/dev/null)" = "$*" ]; then return; fi
	lock "chroot-${dir##*/}"
	# Another run may have made it before this run got the lock
	if [ "$(cat "$dir/.objtrace-packages" 2>/dev/null)" = "$*" ]; then return; fi
	say "  making a chroot of $suite"
	mkdir -p "$CACHE/chroots"
	rm -rf --one-file-system "$dir.new"
	bootstrap_into "$dir.new" "$suite" "$@"
	rm -f "$dir.new"/var/cache/apt/archives/*.deb
	echo "$*" >"$dir.new/.objtrace-packages"
	publish "$dir.new" "$dir"
}

# Hard-link the packages of FROM that TO lacks into TO.
link_debs() {	# link_debs FROM TO
	local file missing=()
	mkdir -p "$2"
	for file in "$1"/*.deb; do
		if [ -e "$file" ] && [ ! -e "$2/${file##*/}" ]; then missing+=("$file"); fi
	done
	if [ ${#missing[@]} -gt 0 ]; then ln -t "$2" "${missing[@]}"; fi
}

# Install a minimal Debian of SUITE with some packages in DIR. mmdebstrap uses the packages in
# the harness's cache, and this function adds new packages to the cache. The packages stay in
# the apt cache of DIR, where the caller may delete them.
#
# If mmdebstrap fails, it may leave mounts. They end with their mount namespace. Where
# mount(2) is not allowed, mmdebstrap makes no mounts. It does not read the machine's apt
# configuration, so this function passes the configuration and the sources.
bootstrap_into() {	# bootstrap_into DIR SUITE PACKAGE...
	local dir=$1 suite=$2 log=$CACHE/logs/chroot-$2.log sources
	shift 2
	sources=$(sources_of "$suite" "$suite-security")
	acquire_conf >"$dir.conf"
	link_debs "$DEBS" "$dir/var/cache/apt/archives"
	# shellcheck disable=SC2046  # words
	if ! timeout 900 $(own_mounts) mmdebstrap --variant=minbase --keyring="$APT_KEYRING" \
			--aptopt="$dir.conf" --include="$(IFS=,; echo "$*")" \
			--skip=check/empty,download/empty,essential/unlink,cleanup/apt/cache \
			"$suite" "$dir" - >"$log" 2>&1 <<<"$sources"; then
		rm -rf --one-file-system "$dir" "$dir.conf"
		die "the chroot of $suite cannot be made: $(grep -m1 '^E:' "$log" || tail -n1 "$log") (see $log)"
	fi
	link_debs "$dir/var/cache/apt/archives" "$DEBS"
	rm "$dir.conf"
}
