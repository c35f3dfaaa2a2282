const DATE_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** What a phone shows while it can't reach the machine. It shows no sessions, because an old board would look like a quiet one. */
export function offlinePage(reachedAt: number | undefined, address: string): Response {
  const since = reachedAt === undefined ? '' : `<p>Last reached <strong>${DATE_TIME.format(reachedAt)}</strong>.</p>`;
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<title>Offline · Ground Control</title>
<style>
:root { font: 1rem/1.5 system-ui, sans-serif; color: #14201c; background: #fff; }
@media (prefers-color-scheme: dark) { :root { color: #e6ecea; background: #0c1110; } a { background: #e6ecea !important; color: #0c1110 !important; } }
body { display: grid; place-items: center; min-height: 100dvh; margin: 0; }
main { max-width: 24rem; padding: 1.5rem; }
h1 { line-height: 1.2; margin: 0 0 .5rem; }
a { display: block; min-height: 2.75rem; line-height: 2.75rem; margin-top: 1.5rem; text-align: center; text-decoration: none; font-weight: 600; background: #14201c; color: #fff; }
</style>
</head>
<body>
<main>
<h1>Can't reach Ground Control</h1>
${since}
<p>Agents keep working, and their requests wait for you. Check that this phone is online, that its VPN is on if you use one, and that the computer is awake.</p>
<a href="${escapeHtml(address)}">Try again</a>
</main>
</body>
</html>`;
  return new Response(html, {
    status: 503,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
    },
  });
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
