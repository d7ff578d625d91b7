# What the commands of this folder share. They are in the root of the project when they read it.

RELEASE_JDK=17
BOOTS='4.1.2 3.5.8'
# Frameworks that pin Netty 4.1.
PINNING_NETTY='vertx grpc micronaut'

fail() {
    printf '%s: %s\n' "${0##*/}" "$1" >&2
    shift
    [ $# = 0 ] || printf '%s\n' "$@" >&2
    exit 1
}

say() { printf '\n== %s\n' "$*"; }

# Runs a command with its output in a log, and says what and for how long: step WHAT LOG COMMAND...
step() {
    local what=$1 log=$out/logs/$2.log from=$SECONDS status=0
    shift 2
    printf '%-58s' "$what"
    # A function called in a condition would go on after an error.
    set +e
    (set -e; "$@") >"$log" 2>&1
    status=$?
    set -e
    if [ "$status" != 0 ]; then
        printf ' failed\n'
        { grep -a '^\[ERROR\]' "$log" || tail -n 15 "$log"; } | cut -c1-300 | head -n 20 >&2
        fail "$what: failed; all of it is in ${log#"$root"/}"
    fi
    printf ' %5d s\n' $((SECONDS - from))
}

mvn() {
    if type -P mvn >/dev/null; then command mvn "$@"; else "$root/mvnw" "$@"; fi
}

java_version() {
    local home=${JAVA_HOME:-}
    "${home:+$home/bin/}java" -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.version = //p'
}

gpg_home() { gpgconf --list-dirs homedir; }

published() { awk '$1 == "published" { print $2 }' release/modules; }

kilobytes() { echo "$((($(wc -c <"$1") + 512) / 1024)) KB"; }

older_netty() { sed -n 's|.*<older.netty.version>\(.*\)</.*|\1|p' pom.xml; }

property() { sed -n "s/^$1=//p" release/owner.properties; }

group() { sed -n 's|^  <groupId>\(.*\)</groupId>|\1|p' pom.xml | head -n 1; }

# Each module has one place, and each place a module.
check_places() {
    local modules places
    modules=$(sed -n 's|.*<module>\(.*\)</module>.*|\1|p' pom.xml | sort)
    places=$(awk '$1 == "published" || $1 == "kept" { print $2 }' release/modules | sort)
    [ "$modules" = "$places" ] || fail "release/modules and the modules of pom.xml differ:" \
        "$(diff <(echo "$modules") <(echo "$places") | sed -n 's/^< /  without a place: /p;s/^> /  no module: /p')"
}

escaped() { printf '%s' "$1" | sed 's/&/\&amp;/g;s/</\&lt;/g;s/>/\&gt;/g'; }

# The POMs of a copy become those of the release: its version, and what the owner says, after the description of each.
stamp() {
    local folder=$1 version=$2 block=$1/owner.xml module
    cat >"$block" <<XML
  <url>$(escaped "$(property url)")</url>
  <developers>
    <developer>
      <name>$(escaped "$(property developer.name)")</name>
      <email>$(escaped "$(property developer.email)")</email>
    </developer>
  </developers>
  <scm>
    <connection>$(escaped "$(property scm.connection)")</connection>
    <tag>v$version</tag>
    <url>$(escaped "$(property scm.url)")</url>
  </scm>
XML
    for module in . $(sed -n 's|.*<module>\(.*\)</module>.*|\1|p' pom.xml); do
        sed -i "s|<version>$tree_version</version>|<version>$version</version>|" "$folder/$module/pom.xml"
    done
    for module in $(published); do
        sed -i "0,\|</description>|{\|</description>|r $block
}" "$folder/$module/pom.xml"
    done
}

# Fails with a sentence for each file that Maven Central would refuse.
check_bundle() {
    local repository=$1 version=$2 module wrong=0 base file element
    say_wrong() { echo "[ERROR] $*"; wrong=1; }
    for module in $(published); do
        base=$repository/$(group | tr . /)/$module/$version/$module-$version
        [ -f "$base.pom" ] || { say_wrong "$module is not in the bundle"; continue; }
        for element in name description url licenses developers scm; do
            grep -q "<$element>" "$base.pom" || say_wrong "$module: the POM has no $element"
        done
        ! grep -nE 'SNAPSHOT|\$\{|<parent>' "$base.pom" || [ "$module" = holdfast-bom ] || say_wrong "$module: the POM is not that of a release"
        if [ "$module" != holdfast-bom ]; then
            for file in "$base.jar" "$base-sources.jar" "$base-javadoc.jar" "$base-cyclonedx.json"; do
                [ -f "$file" ] || say_wrong "$module: ${file##*/} is missing"
            done
            unzip -l "$base.jar" META-INF/NOTICE || say_wrong "$module: the jar has no META-INF/NOTICE"
        fi
    done
    for module in $(awk '$1 == "kept" { print $2 }' release/modules); do
        [ ! -e "$repository/$(group | tr . /)/$module" ] || say_wrong "$module is in the bundle, and is not to be published"
    done
    while read -r file; do
        gpg --batch --verify "$file.asc" "$file" || say_wrong "$file: the signature is missing or wrong"
        [ "$(md5sum <"$file" | cut -d ' ' -f 1)" = "$(cat "$file.md5")" ] || say_wrong "$file: the MD5 sum is missing or wrong"
        [ "$(sha1sum <"$file" | cut -d ' ' -f 1)" = "$(cat "$file.sha1")" ] || say_wrong "$file: the SHA-1 sum is missing or wrong"
    done < <(find "$repository" -type f ! -name '*.asc*' ! -name '*.md5' ! -name '*.sha1' ! -name '*.sha256' ! -name '*.sha512')
    return $wrong
}

# Signatures have a time in them; nothing else may differ.
same_bytes() { diff -r --exclude='*.asc' --exclude='*.asc.*' "$1" "$2"; }

# A line for each module: its files in KB.
listing() {
    local repository=$1 version=$2 module base suffix
    printf '%-30s %7s %8s %8s %6s  %s\n' module jar sources javadoc SBOM signatures
    for module in $(published); do
        base=$repository/$(group | tr . /)/$module/$version/$module-$version
        printf '%-30s' "$module"
        for suffix in .jar:8 -sources.jar:9 -javadoc.jar:9 -cyclonedx.json:7; do
            if [ -f "$base${suffix%:*}" ]; then
                printf "%${suffix#*:}s" "$(kilobytes "$base${suffix%:*}" | tr -d ' KB')"
            else
                printf "%${suffix#*:}s" -
            fi
        done
        printf '  %10d\n' "$(find "$(dirname "$base")" -name '*.asc' | wc -l)"
    done
    echo "(sizes in KB)"
}

# Where the projects of release/consumers find artifacts: the bundle; what others have published, in the local repository of
# this machine; and Maven Central for the rest.
consumer_settings() {
    local local_repository=$HOME/.m2/repository repositories
    repository_of() { echo "<$1><id>$2</id><url>$3</url></$1>"; }
    both() {
        repository_of "$1" bundle "file://$out/repository"
        [ ! -d "$local_repository" ] || repository_of "$1" local "file://$local_repository"
    }
    cat <<XML
<settings>
  <profiles><profile><id>rehearsal</id>
    <repositories>$(both repository)</repositories>
    <pluginRepositories>$(both pluginRepository)</pluginRepositories>
  </profile></profiles>
  <activeProfiles><activeProfile>rehearsal</activeProfile></activeProfiles>
</settings>
XML
}

# Compiles a project with an empty local repository, or what earlier ones have put there, and writes its class path to a file.
compile_consumer() {
    local project=$1 name=$2
    shift 2
    rm -rf "$out/consumers/$name"
    cp -R "$root/release/consumers/$project" "$out/consumers/$name"
    mvn -B -ntp -s "$out/consumers/settings.xml" -Dmaven.repo.local="$out/consumers/local-repository" \
        -f "$out/consumers/$name/pom.xml" -Dholdfast.version="$version" "$@" compile \
        org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath \
        -Dmdep.includeScope=runtime -Dmdep.outputFile="$out/consumers/$name/class-path"
}

# A java of each JDK: that of the build, and the newest of the machine.
javas() {
    echo "${JAVA_HOME:+$JAVA_HOME/bin/}java"
    for home in /usr/lib/jvm/*; do
        [ ! -x "$home/bin/java" ] || sed -n "s|^JAVA_VERSION=\"\([0-9]*\).*|\1 $home/bin/java|p" "$home/release" 2>/dev/null
    done | sort -n | tail -n 1 | awk -v own="$RELEASE_JDK" '$1 > own { print $2 }'
}

# Runs what was compiled, on each JDK; it must say that it has the lock, with no more jars of ours and of Netty than documented.
run_consumer() {
    local name=$1 jars=$2 said ours java
    shift 2
    for java in $(javas); do
        said=$("$java" "$@" 2>&1) || { echo "$said"; return 1; }
        echo "$said"
        grep -q '^locked ' <<<"$said" || { echo "[ERROR] it did not say that it is locked"; return 1; }
    done
    ours=$(tr : '\n' <"$out/consumers/$name/class-path" | sed 's|.*/||' | grep -cE "$jars" || true)
    echo "$ours" >"$out/consumers/$name/jars"
    [ "$ours" -le 9 ] || { echo "[ERROR] $ours jars (expected: <= 9)"; tr : '\n' <"$out/consumers/$name/class-path"; return 1; }
}

# What has locked: a line for each project.
consumers_table() {
    local name netty jdks
    jdks=$(for java in $(javas); do "$java" -XshowSettings:properties -version 2>&1 | awk '/java.specification.version/ { print $3 }'; done | paste -sd ' ')
    printf '%-16s %5s  %-15s %s\n' project jars Netty 'locked on JDK'
    for name in "$@"; do
        netty=$(tr : '\n' <"$out/consumers/$name/class-path" | sed -n 's|.*/netty-transport-\([0-9].*\)\.jar|\1|p' | head -n 1)
        printf '%-16s %5s  %-15s %s\n' "$name" "$(cat "$out/consumers/$name/jars")" "$netty" "$jdks"
    done
}

consumers_of() {
    local out=$1 version=$2 url classes=target/classes folder=$1/consumers boot starter
    rm -rf "$folder"
    mkdir -p "$folder/local-repository"
    consumer_settings >"$folder/settings.xml"
    say "Projects that take it from the bundle, with an empty local repository"
    step "a server, by lock-testkit" server compile_consumer server server
    mkfifo "$folder/end"
    "${JAVA_HOME:+$JAVA_HOME/bin/}java" -cp "$folder/server/$classes:$(cat "$folder/server/class-path")" \
        com.example.server.Program <"$folder/end" >"$folder/server/url" 2>"$out/logs/server-errors.log" &
    exec 9>"$folder/end"
    until [ -s "$folder/server/url" ]; do
        kill -0 $! 2>/dev/null || fail "the server ended: $(cat "$out/logs/server-errors.log")"
        sleep 0.1
    done
    url=$(head -n 1 "$folder/server/url")

    step "class path, by the BOM: compile" class-path-compile compile_consumer class-path class-path
    step "class path, by the BOM: lock" class-path run_consumer class-path '.' \
        -cp "$folder/class-path/$classes:$(cat "$folder/class-path/class-path")" com.example.classpath.Program "$url"
    for name in module-path module-path-4.1; do
        step "$name: compile" "$name-compile" compile_consumer module-path $name \
            $([ $name = module-path ] || echo "-Dnetty.version=$(older_netty)")
        step "$name: lock" "$name" run_consumer "$name" '.' \
            -p "$folder/$name/$classes:$(cat "$folder/$name/class-path")" -m com.example.modular/com.example.modular.Program "$url"
    done
    for boot in $BOOTS; do
        starter=holdfast-spring-boot-starter
        [[ $boot != 3.* ]] || starter=holdfast-spring-boot-3-starter
        step "Spring Boot $boot: compile" "boot-$boot-compile" compile_consumer boot "boot-$boot" \
            -Dspring-boot.version="$boot" -Dholdfast.starter=$starter
        step "Spring Boot $boot: lock" "boot-$boot" run_consumer "boot-$boot" '^(lock-|holdfast-|netty-)' \
            -cp "$folder/boot-$boot/$classes:$(cat "$folder/boot-$boot/class-path")" com.example.boot.Program "--holdfast.url=$url"
    done
    for name in $PINNING_NETTY; do
        step "beside $name, on Netty 4.1: compile" "$name-compile" compile_consumer "$name" "$name"
        step "beside $name, on Netty 4.1: lock" "$name" run_consumer "$name" '^lock-' \
            -cp "$folder/$name/$classes:$(cat "$folder/$name/class-path")" "com.example.$name.Program" "$url"
    done
    exec 9>&-
    consumers_table class-path module-path module-path-4.1 $(printf 'boot-%s ' $BOOTS) $PINNING_NETTY
}
