export function cloudflareSteps(port: number): string {
  return [
    'A named tunnel keeps its address. Quick tunnels (trycloudflare.com) get a new one at each start, which breaks pairing and',
    "notifications, and they buffer live updates: don't use them.",
    '',
    '  cloudflared tunnel login',
    '  cloudflared tunnel create groundcontrol',
    '  cloudflared tunnel route dns groundcontrol tower.example.com',
    '',
    'Then let Ground Control keep it open, and check it:',
    '',
    '  gctl remote cloudflare --tunnel groundcontrol --url https://tower.example.com',
    '',
    `Or run it yourself, forwarding to http://127.0.0.1:${port}, and tell Ground Control: gctl remote url https://tower.example.com`,
    '',
    'Anyone can reach that address, so put Cloudflare Access in front of it. Devices still have to be paired.',
  ].join('\n');
}
