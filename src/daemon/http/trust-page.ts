/** How a phone comes to trust the certificate that we made. Plain, since it is read before anything else can be. */
export function trustPage(fingerprint: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Trust Ground Control</title>
<style>
body { font: 17px/1.5 system-ui, sans-serif; max-width: 34rem; margin: 0 auto; padding: 1.5rem; }
code { font-size: 0.85em; overflow-wrap: anywhere; }
a.button { display: inline-block; padding: 0.7rem 1.2rem; border: 1px solid; border-radius: 0.6rem; text-decoration: none; color: CanvasText; }
body { background: Canvas; color: CanvasText; }
li { margin: 0.4rem 0; }
</style>
</head>
<body>
<main>
<h1>Trust Ground Control</h1>
<p>This certificate is valid for this one server only. Check that its fingerprint is the one that <code>gctl remote lan</code> printed on your computer:</p>
<p><code>${fingerprint}</code></p>
<p><a class="button" href="groundcontrol-ca.pem" download>Download the certificate</a></p>
<h2>iPhone and iPad</h2>
<ol>
<li>Tap the button above in Safari, then Allow.</li>
<li>Open Settings › General › VPN &amp; Device Management, tap the profile, then Install.</li>
<li>Open Settings › General › About › Certificate Trust Settings and turn it on.</li>
<li>Come back to this address and add it to your Home Screen to get notifications.</li>
</ol>
<h2>Android</h2>
<ol>
<li>Tap the button above.</li>
<li>Open Settings › Security › Encryption &amp; credentials › Install a certificate › CA certificate, and choose the file.</li>
<li>Come back to this address in Chrome.</li>
</ol>
<h2>Other computers</h2>
<p>Add the file to the system's trusted certificates, or open the address in a browser that lets you import it.</p>
</main>
</body>
</html>
`;
}
