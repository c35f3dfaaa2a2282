/** Hex names things: commits, checksums, UUIDs, addresses (`0x…`), what a cloud created (`subnet-02b9…`), with its number (`…-AMS`). */
const HEX =
  /^(?:0x|(?!tok|key|[spr]k[_-]|secret|api|pat[_-]|auth)[a-z]{1,16}[-_])?[0-9a-f]{6,}(?:[-_:.]?[0-9a-f]{2,}|-[A-Z]{3})*$/i;
const ULID = /^0[0-7][0-9A-HJKMNP-TV-Z]{24}$/i;
const CUID = /^c[a-z0-9]{24}$/;
/** Ids that an API assigns; keys of the same style have other prefixes (`sk_`, `tok_`, `whsec_`). */
const OBJECT =
  /^(?:toolu|srvtoolu|msg|req|call|resp|chatcmpl|run|thread|step|file|asst|batch|vs|org|proj|prj|team|usr|user|wrkspc|uprof|svac|evt|event|cus|pi|ch|sub|prod|price|in|inv|acct|card|pm|seti|re|txn|po|si|ii|job|dpl|env|deploy|build|img|vol|snap|task|item|page|trace|span|doc|obj|cmpl|gen|rs|fc|ig|conv|sesn|env|skill|mem)[_-]/;
/** Public keys, addresses of chains and content, keys that only encrypt. */
const PUBLIC_VALUE =
  /^(?:sha\d{1,3}-|AAAA[A-E]|A(?:IDA|ROA|GPA|NPA|NVA|PKA|SCA)[A-Z0-9]{16,}$|age1|_ZN|_R[A-Z]|IwAR|ssh-|bc1|tb1|Qm[A-Za-z0-9]{44}$|CAF?[\w+=-]{40,80}$|nonce-|baf[ky]|did:|MII|MFkw|MCow|LS0tLS1CRUdJTi(?:BDRVJU|BQVUJM|BDRV))/;
/** An alphabet is as surprising as random letters. */
const ALPHABET = /abcdefgh|cdefghj|qrstuv|[aA]-[zZ]|0-9|0123456/i;
/** `|1|salt=|host=` of SSH's known hosts. */
const HASHED_HOST = /\|1\|(?:[\w+/=]{20,40}\|)?$/;
/** What stands in front of ids, checksums and public keys. */
const LABEL =
  /(?:(?:^|[^a-z])(?:e?tag|ulid|nanoid|uuid|guid|cuid|ksuid|hash(?:es)?|sha\d{0,3}|md5|h1|digest|checksum|fingerprint|thumbprint|integrity|commit|rev|revision|ray|trace|span|recipients?|address|contract|tx|txid|block|cid|cursor|version|mappings|pubkey|public[ _-]?key|peer|known_hosts|nonce|challenge|code_challenge|(?:request|correlation|message|event|build|deploy|trace|object|account|client|app|tenant|user|project|workspace|machine|device|run|job|node|order|payment|invoice|customer|product|document|page|file|folder|space|team|org|organization)[ _-]?id)|[a-z]_ids?|\bids?|id-2|websocket-(?:key|accept)|(?:page|next|continuation|sync)_?token|\biv|\btag|verification|signature|["'](?:n|x|y|kid|x5t|x5c|mappings)|\d\.\d{1,3}\.?|base64,|ssh-[a-z0-9]{3,8}|sha\d{1,3})["'`]{0,2}\]?[ \t]{0,4}[-:=]?[>:]?[ \t]{0,4}(?:W\/)?["'`(]{0,2}$/i;

/** `requestId`; but not `valid`. */
const CAMEL_ID = /[a-z]I[dD]s?["'`]{0,2}\]?[ \t]{0,4}[:=][ \t]{0,4}["'`(]{0,2}$/;

/** Whether values under this name are ids, checksums or public keys. */
export function isHarmlessName(name: string): boolean {
  return LABEL.test(`"${name}":"`) || /[a-z]I[dD]s?$/.test(name);
}

/** Random, but not secret: it names something, or is meant to be public. `before`: what precedes it in its line. */
export function isHarmless(value: string, before = ''): boolean {
  return (
    HEX.test(value) ||
    ULID.test(value) ||
    CUID.test(value) ||
    OBJECT.test(value) ||
    PUBLIC_VALUE.test(value) ||
    ALPHABET.test(value) ||
    HASHED_HOST.test(before) ||
    CAMEL_ID.test(before) ||
    LABEL.test(before)
  );
}
