import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { maskDeep, maskSecrets } from './mask-secrets.ts';
import { MORE_SECRET_SHAPES } from './more-secret-shapes.table.ts';
import { SECRET_SHAPES } from './secret-shapes.table.ts';
import { WEEKLY_SECRET_SHAPES } from './weekly-secret-shapes.table.ts';

const A = 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY';
// assembled here, or secret scanners would flag this repository
const key = (...parts: string[]) => parts.join('');

function filesOf(program: string, args: string[]): string[] {
  return execFileSync(program, args, { encoding: 'utf8' })
    .split('\n')
    .filter((path) => path !== '');
}

describe('maskSecrets', () => {
  it.each([
    ['Anthropic', key('sk-', 'ant-api03-', A, '-', A, 'AA')],
    ['OpenAI', key('sk-', 'proj-', A)],
    ['OpenAI, older', key('sk-', A, A)],
    ['AWS id', key('AK', 'IAIOSFODNN7EXAMPLE')],
    ['GitHub', key('gh', 'p_', A, 'abcd')],
    ['GitHub, fine-grained', key('github', '_pat_11ABCDEFG0', A)],
    ['GitLab', key('gl', 'pat-', 'x1y2z3x1y2z3x1y2z3x1')],
    ['Slack', key('xo', 'xb-123456789012-1234567890123-', 'abcdefghij')],
    ['Slack hook', key('https://hooks.', 'slack.com/services/T00000000/B00000000/', 'XXXXXXXXXXXXXXXXXXXXXXXX')],
    ['Discord hook', key('https://discord.com/api/', 'webhooks/123456789012345678/', A, A)],
    ['Google', key('AI', 'za', 'SyA1234567890abcdefghijklmnopqrstuv')],
    ['Google OAuth', key('ya', '29.', 'a0AfH6SMBx1234567890abcdef')],
    ['Stripe', key('sk', '_live_', '51H8abcdefghijklmnop')],
    ['npm', key('npm', '_', A, 'abcd')],
    ['SendGrid', key('SG', '.', 'abcdefghijklmnopqrstuv', '.', A)],
    ['Hugging Face', key('hf', '_', A)],
    ['JWT', key('ey', 'JhbGciOiJIUzI1NiJ9', '.ey', 'JzdWIiOiIxMjM0NTY3ODkwIn0', '.', 'SflKxwRJSMeKKF2QT4fwpM')],
    ['Telegram', key('123456789', ':AA', 'F1234567890abcdefghijklmnopqrstuv')],
  ])('masks a key by its form: %s', (_, secret) => {
    const masked = maskSecrets(`before ${secret} after`);
    expect(masked).toMatch(/^before \S*\[masked\] after$/);
    expect(masked).not.toContain(secret.slice(-12));
  });

  it.each([
    ['curl -H "Authorization: Bearer abcdef0123456789abcdef"', 'curl -H "Authorization: Bearer [masked]"'],
    ['Authorization: Basic dXNlcjpwYXNzd29yZA==', 'Authorization: Basic [masked]'],
    ['postgres://app:hunter2@db.local/app', 'postgres://app:[masked]@db.local/app'],
    ['redis://:s3cr3t@cache:6379', 'redis://:[masked]@cache:6379'],
    ['DB_PASSWORD=hunter2', 'DB_PASSWORD=[masked]'],
    ['export GITHUB_TOKEN="abc123def"', 'export GITHUB_TOKEN="[masked]"'],
    ['DB_PASSWORD=12345678', 'DB_PASSWORD=[masked]'],
    ['PASSWORD=xylophone', 'PASSWORD=[masked]'],
    ['PASSWORD=#hunter2', 'PASSWORD=[masked]'],
    ['authorization: bearer abcdefghijklmnopqrst', 'authorization: bearer [masked]'],
    ['PGPASSWORD=hunter2 psql', 'PGPASSWORD=[masked] psql'],
    ['AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', 'AWS_SECRET_ACCESS_KEY=[masked]'],
    ['  password: correct-horse', '  password: [masked]'],
    ['{"clientSecret":"abcd1234"}', '{"clientSecret":"[masked]"}'],
    ['{\\"api_key\\":\\"abcd1234\\"}', '{\\"api_key\\":\\"[masked]\\"}'],
    ['{"password":"ab\\"cd\'ef"}', '{"password":"[masked]"}'],
    ['password = \'say "please"\'', "password = '[masked]'"],
    ['PASSPHRASE="correct horse battery"', 'PASSPHRASE="[masked]"'],
    ["const apiKey = 'abcd1234';", "const apiKey = '[masked]';"],
    ['x-api-key: abcd1234efgh', 'x-api-key: [masked]'],
    ['mysql --password hunter2!', 'mysql --password [masked]'],
    ['//registry.npmjs.org/:_authToken=abcd-1234', '//registry.npmjs.org/:_authToken=[masked]'],
    ['https://x.y/?access_token=abcd1234&page=2', 'https://x.y/?access_token=[masked]&page=2'],
    ['MY_PRIVATE_KEY=abcd1234', 'MY_PRIVATE_KEY=[masked]'],
    ['SERVICE_ROLE_KEY=abcd1234', 'SERVICE_ROLE_KEY=[masked]'],
    ['SMTP_PASS=hunter22', 'SMTP_PASS=[masked]'],
    ['curl -sS -u admin:hunter2 https://x.y', 'curl -sS -u admin:[masked] https://x.y'],
    ["curl --user='admin:hunter2' https://x.y", "curl --user='admin:[masked]' https://x.y"],
    ["curl -H 'Cookie: sid=abcd1234; theme=dark' https://x.y", "curl -H 'Cookie: [masked]' https://x.y"],
    ['set-cookie: sid=abcd1234; Path=/\r\nvary: *', 'set-cookie: [masked]\r\nvary: *'],
    ['first line\r\nSECRET=abcd1234\r\nlast', 'first line\r\nSECRET=[masked]\r\nlast'],
  ])('masks named values: %s', (text, masked) => expect(maskSecrets(text)).toBe(masked));

  it.each([
    'max_tokens: 4096',
    'docker run -u 1000:1000 image',
    'first_pass: something',
    'tests pass: 12 of them',
    'curl -u "$NAME:$PASS" https://x.y',
    'a cookie: it is sweet',
    'tokens=500000',
    'const tokenizer = makeTokenizer',
    'token: string;',
    'password: string | null',
    'token = process.env.GITHUB_TOKEN',
    'GITHUB_TOKEN=$GITHUB_TOKEN',
    'GITHUB_TOKEN=$' + '{{ secrets.GITHUB_TOKEN }}',
    'password = getPassword()',
    'The token is refreshed: see below',
    'Bearer authentication',
    'basic authentication scheme',
    'token_count: 12345678',
    'primary key: user_id',
    'key: value',
    'keyboard: qwerty',
    'secretary: Anna',
    'https://example.com:8080/path@2x.png',
    'git@github.com:owner/repo.git',
    'ssh://git@example.com/repo',
    'sk-learn and task-force-unit',
    'skip_live_tests',
    'AKIA is how they begin',
    'commit 3f2d3720b2c044d5b3800849d13e4463aa11bb22',
    '3f2d3720-b2c0-44d5-b380-0849d13e4463',
    'eyJ alone is nothing',
    'toolu_01A9bC8dE7fG6hJ5kL4mN3pQ2',
    'integrity sha512-Zk4wQ9vTn2XsB7yLhD5mRc8JfG3pAe6UZk4wQ9vTn2XsB7yLhD5mRc8JfG3pAe6U==',
    'golang.org/x/net v0.1.0 h1:Zk4wQ9vTn2XsB7yLhD5mRc8JfG3pAe6Uabcdefghijk=',
    'The password is not known',
    'set password policy',
    'certificate-authority-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUMv',
    'password: <your password>',
    'password: ********',
    'password: xxxxxxxx',
    'set TOKEN=%MY_TOKEN%',
    'token: [masked]',
    '-----BEGIN CERTIFICATE-----',
  ])('leaves alone: %s', (text) => expect(maskSecrets(text)).toBe(text));

  it.each(SECRET_SHAPES)('leaves nothing of: %s', (_, text, secret) => {
    for (const around of [text, `before\n${text}\nafter`, `  ${text}`, JSON.stringify({ command: text })])
      expect(maskSecrets(around)).not.toContain(secret);
  });

  it('leaves something of at most 3 in 120 of other shapes', () => {
    const leaked = MORE_SECRET_SHAPES.filter(([, text, secret]) =>
      [text, `before\n${text}\nafter`, JSON.stringify({ command: text })].some((each) =>
        maskSecrets(each).includes(secret),
      ),
    ).map(([name]) => name);
    expect(MORE_SECRET_SHAPES.every(([, text, secret]) => text.includes(secret))).toBe(true);
    expect(leaked.length / MORE_SECRET_SHAPES.length, leaked.join(', ')).toBeLessThanOrEqual(3 / 120);
  });

  it('masks every secret from a working week of transcripts', () => {
    const leaked = WEEKLY_SECRET_SHAPES.flatMap(([shape, ...halves]) => {
      const secrets = halves.map((each) => each.join(''));
      const text = secrets.reduce((rest, secret, at) => rest.replaceAll(`{${at}}`, () => secret), shape);
      const seen = [text, `before\n${text}\nafter`].map(maskSecrets);
      return secrets.some((secret) => seen.some((masked) => masked.includes(secret))) ? [shape] : [];
    });
    expect(leaked).toEqual([]);
  });

  it('masks all held-out sets of shapes completely', () => {
    const lines = readFileSync(join(import.meta.dirname, 'secret-shapes.txt'), 'utf8').split('\n');
    const rows = lines.filter((line) => line !== '' && !line.startsWith('// '));
    const leaked = rows.filter((line) => {
      const [shape = '', halves = ''] = line.split(' ~~ ');
      const secret = halves.replace('·', '');
      const text = shape
        .replaceAll('·', '')
        .replaceAll('⏎', '\n')
        .replaceAll('{0}', () => secret);
      const seen = [text, `before\n${text}\nafter`, JSON.stringify({ command: text })].map(maskSecrets);
      return !text.includes(secret) || seen.some((masked) => masked.includes(secret));
    });
    expect(rows.length).toBeGreaterThan(1100);
    expect(leaked).toEqual([]);
  });

  it.each([
    ['our own code and docs', filesOf('git', ['ls-files', '*.md', 'src/*.ts', 'web/*.tsx', 'scripts/*'])],
    ['a lock file', ['package-lock.json']],
    [
      'code and docs of packages',
      filesOf('find', ['node_modules/fastify', 'node_modules/zod', '-name', '*.md', '-o', '-name', '*.js']),
    ],
  ])('masks at most 5 of 1,000 lines of %s', (_, files) => {
    const lines = files
      .filter((path) => !path.includes('masking/') && !/[./]test\b/.test(path))
      .flatMap((path) => readFileSync(path, 'utf8').split('\n'))
      .filter((line) => line.trim() !== '' && line.length < 2000)
      .slice(0, 20_000);
    const changed = lines.filter((line) => maskSecrets(line) !== line);
    expect(lines.length).toBeGreaterThan(1000);
    expect(changed.length / lines.length, changed.slice(0, 20).join('\n')).toBeLessThanOrEqual(0.005);
  });

  it('leaves lines alone that only look like secrets', () => {
    const lines = readFileSync(join(import.meta.dirname, 'ordinary-lines.txt'), 'utf8')
      .split('\n')
      .filter(Boolean);
    const changed = lines.filter((line) => {
      const text = line.replaceAll('⏎', '\n');
      return maskSecrets(text) !== text;
    });
    expect(lines.length).toBeGreaterThan(1100);
    expect(changed).toEqual([]);
  });

  it('masks private keys line by line, including truncated ones', () => {
    const pem = ['-----BEGIN RSA PRIVATE KEY-----', 'MIIEow', 'IBAAKC', '-----END RSA PRIVATE KEY-----'];
    expect(maskSecrets(`a\n${pem.join('\n')}\nb`)).toBe(`a\n${pem[0]}\n[masked]\n[masked]\n${pem[3]}\nb`);
    expect(maskSecrets(pem.join('\\n'))).toBe([pem[0], '[masked]', '[masked]', pem[3]].join('\\n'));
    expect(maskSecrets(pem.slice(0, 2).join('\n'))).toBe(`${pem[0]}\n[masked]`);
    expect(maskSecrets(pem.join('\n')).split('\n')).toHaveLength(4);
  });

  it('runs in linear time', () => {
    const hostile = [
      'token',
      'key-',
      'token:',
      '--key ',
      'token="',
      'xoxa-',
      '-----BEGIN PRIVATE KEY-----',
      'sk-ant-',
      'Bearer ',
      'a=',
      'token=',
      '://a:',
      'curl -u a',
      'cookie:a',
      'A',
      '"',
      'eyJ',
      '--a ',
      'eyJaaaaaaaaaaa.',
      '_',
      '.',
      '-',
      ' ',
      ':',
      'a9B',
      '-a9B',
      'name: token value: ',
      'set token ',
      'password is ',
      'gh secret set ',
      'identified with ',
      'authorization: ',
      'user: "a:',
      'variable "token" { default = ',
      '"value": "token", "sensitive": tru',
      '"sensitive": true, ',
      'secret token:\n',
      'openssl rand \n',
      'seed phrase word word ',
      'token a1b2c3',
      'passwd <<EOF\nabcd\n',
      'auth-user-pass\nbob\n',
      '<key>token</key><string>',
      'net use \\h\\s ',
      'curl -u a:',
      'keys: ["',
      'bundle config a b:',
      'card: 4242 ',
      'echo a >',
      'echo ',
      '<input ',
      'password ?',
      '$ token\n',
      '://a/',
      '|password|\n',
      'password,b\n',
      'secret:\n  a: b\n',
      'login("',
      'connect(a, ',
      '\\n',
      'abcd ',
      '[12,',
      'a:a@a.',
      '-u a -p ',
      '-----BEGIN PUBLIC KEY-----',
    ];
    // quadratic time would take minutes each
    for (const piece of hostile) maskSecrets(piece.repeat(Math.ceil(300_000 / piece.length)));
  });

  it('masks nested values, including by their key', () => {
    const variable = { name: 'API_TOKEN', value: 'abcd1234' };
    const value = {
      env: { API_KEY: 'abcd1234', plain: 'x' },
      list: ['DB_PASSWORD=hunter2'],
      n: 1,
      none: null,
      variable,
    };
    expect(maskDeep(value)).toEqual({
      env: { API_KEY: '[masked]', plain: 'x' },
      list: ['DB_PASSWORD=[masked]'],
      n: 1,
      none: null,
      variable: { name: 'API_TOKEN', value: '[masked]' },
    });
  });
});
