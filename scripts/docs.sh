#!/usr/bin/env bash
# make docs: the documentation as a site in docs-build/, which any web server can serve. Nothing in it comes from another host.
#
#   scripts/docs.sh
#
# BASE is the path that it will be served at, such as /tandem; the root of its host if that is not said. TANDEM_BINARY names
# an executable that is built already.
set -euo pipefail
cd "$(dirname "$0")/.."
base=${BASE:-}
work=.build-docs
rm -rf "$work" docs-build
mkdir -p "$work/pages/assets"

# The newest build is brought up to date, so that the API and HubKit are described as they are.
if [ -n "${TANDEM_BINARY:-}" ]; then
    tandem=$TANDEM_BINARY
elif [ .build/release/tandem -nt .build/debug/tandem ]; then
    scripts/build.sh release
    tandem=.build/release/tandem
else
    swift build --product tandem
    tandem=.build/debug/tandem
fi

cp -R docs/zensical.toml docs/theme "$work"
python3 scripts/docs/pages.py "$work/pages"
"$tandem" openapi | python3 scripts/docs/routes.py >>"$work/pages/reference/routes.md"
cp docs/theme/site.css Web/pictures/app-icon.svg Web/pictures/icons.svg "$work/pages/assets"
# The colours of the app, day and night by the switch of the site.
sed 's/\[data-theme="light"\]/[data-md-color-scheme="default"]/g; s/\[data-theme="dark"\]/[data-md-color-scheme="slate"]/g
     s/\[data-theme\]/[data-md-color-scheme]/g' Web/styles/tokens.css >"$work/pages/assets/tokens.css"

.venv-docs/bin/zensical build --strict --config-file "$work/zensical.toml"
scripts/docs/hubkit.sh "$work/site/hubkit" "$base/hubkit"
python3 scripts/docs/check_site.py "$work/site"
mv "$work/site" docs-build
echo 'docs-build is there. To read it: python3 -m http.server --directory docs-build'
