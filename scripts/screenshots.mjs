import { join } from 'node:path';
import { build, install, root } from './prepare.mjs';
import { runBundled } from './run-bundled.mjs';

// npm run screenshots                        every page, light and dark, desktop and phone, into docs/screenshots
// npm run screenshots board stats            only these pages
// npm run screenshots -- --into=/tmp/before  into another folder, plus a 1280 × 800 laptop size, for comparison
// Japanese and Hebrew titles need fonts: apt-get install fonts-dejavu-core fonts-droid-fallback
install({ tests: true });
build();
process.exitCode = await runBundled(join(root, 'test', 'screenshots', 'take.ts'), [root, ...process.argv.slice(2)]);
