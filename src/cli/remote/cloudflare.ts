export function cloudflareSteps(port: number): string {
  return [
    'A named tunnel keeps its address. Quick tunnels (trycloudflare.com) get a new one at each start, which breaks pairing and',
    "notifications, and they buffer live updates: don't use them.",
    '',
    '  cloudflared tunnel login',
    '  cloudflared tunnel create groundcontrol',
    '  cloudflared tunnel route dns groundcontrol tower.example.com',
    `  cloudflared tunnel run --url http://127.0.0.1:${port} --http-host-header tower.example.com groundcontrol`,
    '',
    'Then tell Ground Control about the address, and check it:',
    '',
    '  gctl remote url https://tower.example.com',
    '',
    'Anyone can reach that address, so put Cloudflare Access in front of it. Devices still have to be paired.',
  ].join('\n');
}
