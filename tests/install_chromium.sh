#!/bin/sh
# The page is tested in a real Chromium. Install Debian's where this user may; say how where not.
for browser in chromium-headless-shell chromium chromium-browser google-chrome; do
    command -v "$browser" >/dev/null 2>&1 && exit 0
done
if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
    echo "Installing Chromium for the browser tests …"
    apt-get update -qq
    for package in chromium-headless-shell chromium; do  # the first is enough, and starts sooner
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $package \
            >/dev/null 2>&1 && exit 0
    done
fi
echo "No Chromium here: the browser tests will be skipped. To run them: sudo apt-get install chromium"
