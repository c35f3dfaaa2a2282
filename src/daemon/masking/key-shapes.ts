import { MASK } from './mask.ts';

/**
 * Vendor keys with a known prefix: the letters to search for first, since most texts have none of them, and the full pattern. Each pattern
 * is fixed letters followed by one character class, so matching takes linear time.
 */
const KEY_SHAPES: [letters: string[], shape: RegExp][] = [
  [['sk-'], /\bsk-(?:ant|proj|svcacct|admin|or)-[\w-]{16,}/g],
  [['sk-'], /\bsk-[A-Za-z0-9]{32,}/g],
  [['_live_', '_test_'], /\b[a-z]{2,6}_(?:live|test)_(?=[A-Za-z]{0,40}\d)[A-Za-z0-9]{12,}/g],
  [['access-'], /\baccess-(?:sandbox|development|production)-[0-9a-f-]{36}/g],
  [['whsec_'], /\bwhsec_[A-Za-z0-9+/=]{16,}/g],
  [['AKIA', 'ASIA', 'AROA', 'AIDA', 'ABIA', 'ACCA'], /\b(?:AKIA|ASIA|AROA|AIDA|ABIA|ACCA)[A-Z0-9]{16}\b/g],
  [['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], /\bgh[pousr]_[A-Za-z0-9]{20,}/g],
  [['github_pat_'], /\bgithub_pat_\w{20,}/g],
  [
    ['glpat-', 'glptt-', 'gldt-', 'glrt-', 'glcbt-', 'glft-', 'glsoat-', 'glagent-', 'glimt-'],
    /\bgl(?:pat|ptt|dt|rt|cbt|ft|soat|agent|imt)-[\w-]{20,}/g,
  ],
  [['ATBB'], /\bATBB[A-Za-z0-9]{28,}/g],
  [['ATATT3'], /\bATATT3[\w=-]{40,}/g],
  [['xox'], /\bxox[abeoprs]-[\w-]{10,}/g],
  [['xapp-'], /\bxapp-[\w-]{10,}/g],
  [['hooks.slack.com'], /\bhooks\.slack\.com\/services\/[\w/]{20,}/g],
  [['/api/webhooks/'], /\bdiscord(?:app)?\.com\/api\/webhooks\/[\w/-]{20,}/g],
  [['.webhook.office.com'], /\b[\w-]{1,63}\.webhook\.office\.com\/[\w/@-]{20,}/g],
  [['.'], /\b[MNO][A-Za-z\d_-]{23,27}\.[\w-]{6}\.[\w-]{27,}/g],
  [['AIza'], /\bAIza[\w-]{35}/g],
  [['ya29.'], /\bya29\.[\w.-]{20,}/g],
  [['GOCSPX-'], /\bGOCSPX-[\w-]{20,}/g],
  [['1//'], /\b1\/\/0[\w-]{40,}/g],
  [['EAAA'], /\bEAAA[\w-]{40,}/g],
  [['shpat_', 'shpca_', 'shppa_', 'shpss_'], /\bshp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}/g],
  [['SK'], /\bSK[0-9a-f]{32}\b/g],
  [['-us'], /\b[0-9a-f]{32}-us\d{1,2}\b/g],
  [['npm_'], /\bnpm_[A-Za-z0-9]{30,}/g],
  [['pypi-'], /\bpypi-[\w-]{30,}/g],
  [['rubygems_'], /\brubygems_[0-9a-f]{40,}/g],
  [['cio'], /\bcio[A-Za-z0-9]{32}\b/g],
  [['hf_'], /\bhf_[A-Za-z0-9]{30,}/g],
  [['r8_'], /\br8_[A-Za-z0-9]{30,}/g],
  [['pplx-'], /\bpplx-[A-Za-z0-9]{40,}/g],
  [['SG.'], /\bSG\.[\w-]{16,64}\.[\w-]{16,}/g],
  [['key-'], /\bkey-[0-9a-f]{32}(?:-[0-9a-f]{8}){0,2}\b/g],
  [['dop_v1_'], /\bdop_v1_[0-9a-f]{40,}/g],
  [['fm1_', 'fm2_', 'fm1r_'], /\bfm(?:1|2|1r)_[\w+/=-]{40,}/g],
  [['HRKU-'], /\bHRKU-[\w-]{36,}/g],
  [['nfp_'], /\bnfp_[A-Za-z0-9]{30,}/g],
  [['sbp_'], /\bsbp_[0-9a-f]{40}/g],
  [['pscale_'], /\bpscale_(?:tkn|pw|oauth)_[\w-]{30,}/g],
  [['dckr_pat_'], /\bdckr_pat_[\w-]{20,}/g],
  [['lin_api_'], /\blin_api_[A-Za-z0-9]{20,}/g],
  [['ntn_'], /\bntn_[A-Za-z0-9]{30,}/g],
  [['pat'], /\bpat[A-Za-z0-9]{14}\.[0-9a-f]{64}\b/g],
  [['figd_'], /\bfigd_[\w-]{30,}/g],
  [['sntrys_'], /\bsntrys_[\w.=+/-]{30,}/g],
  [['NRAK-', 'NRJS-'], /\bNR(?:AK|JS)-[A-Za-z0-9]{19,}/g],
  [['glsa_'], /\bglsa_[A-Za-z0-9]{32}_[0-9a-f]{8}/g],
  [['glc_'], /\bglc_[A-Za-z0-9+/=]{32,}/g],
  [['phc_', 'phx_'], /\bph[cx]_[A-Za-z0-9]{30,}/g],
  [['hvs.', 'hvb.'], /\bhv[sb]\.[\w-]{20,}/g],
  [['.atlasv1.'], /\b[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,}/g],
  [['dp.'], /\bdp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{40,}/g],
  [['ops_eyJ'], /\bops_eyJ[\w+/=-]{40,}/g],
  [['AGE-SECRET-KEY-1'], /\bAGE-SECRET-KEY-1[A-Z0-9]{30,}/g],
  [[':AA'], /(?<!\d)\d{8,10}:AA[\w-]{33}\b/g],
  [['pul-'], /\bpul-[0-9a-f]{40}\b/g],
  [['tskey-'], /\btskey-[a-z]{2,12}-[\w-]{20,}/g],
  [['s.', 'b.', 'r.'], /\b[sbr]\.(?=[A-Za-z]{0,20}\d)(?=[\da-z]{0,20}[A-Z])[A-Za-z0-9]{24}\b/g],
  [['sdk-', 'mob-', 'api-'], /\b(?:sdk|mob|api)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g],
  [['.eyJ'], /\b[sp]k\.eyJ[\w-]{20,}\.[\w-]{20,}/g],
  [['/t/'], /(?<=\/t\/)[a-z]{2}-[\w-]{20,}/g],
  [['hooks.zapier.com'], /\bhooks\.zapier\.com\/hooks\/catch\/[\w/-]{8,}/g],
  // `prefix_` plus a hex hash is a common key format.
  [
    ['_', '.'],
    /\b(?!sha\d|md5|hash|commit|rev|chunk|img|cache|main|app|index|vendor)[a-z][a-z0-9]{1,9}(?:_[a-z]{2,4}|_[0-9a-f]{8,16})?(?:_|\.(?=[0-9a-f]{64}))(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})(?![0-9a-f])/g,
  ],
  [['xkeysib-', 'xsmtpsib-'], /\bx(?:key|smtp)sib-[\w-]{40,}/g],
  // a private key in Base64: `-----BEGIN`
  [['LS0tLS1CRUdJTi'], /LS0tLS1CRUdJTi(?!BDRVJU|BQVUJM)[A-Za-z0-9+/]{20,}={0,2}/g],
  [['SU', 'SA', 'SO'], /(?<![A-Z0-9])S[UAO][A-Z2-7]{56}\b/g],
  [['xai-'], /\bxai-[A-Za-z0-9]{40,}/g],
  [['gsk_'], /\bgsk_[A-Za-z0-9]{40,}/g],
  [['dapi'], /\bdapi[0-9a-f]{32}\b/g],
  [['PMAK-'], /\bPMAK-[0-9a-f]{24}-[0-9a-f]{34}/g],
  [['eyJ'], /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/g],
  // password hashes, as LDAP and crypt write them
  [['{PLAIN', '{CLEAR'], /\{(?:PLAIN|CLEAR(?:TEXT)?)[\w.-]{0,12}\}[^\s:"'`]{4,200}/g],
  [['{'], /\{(?:S?SHA\d{0,3}|S?MD5|CRYPT|PBKDF2[\w-]{0,12}|ARGON2\w{0,2}|BCRYPT)\}[\w+/=$.,-]{16,300}/gi],
  [['$'], /\$(?:1|apr1|2[abxy]|5|6|7|y|argon2(?:id|i|d))\$[^\s:'"`$]{1,40}\$?[^\s:'"`]{15,300}/g],
];

export function maskKeys(text: string): string {
  let masked = text;
  for (const [letters, shape] of KEY_SHAPES)
    if (letters.some((start) => text.includes(start)))
      masked = masked.replace(shape, (key) => (/x{8}|\*{4}/.test(key) ? key : MASK));
  return masked;
}
