import { isGibberish } from './gibberish.ts';
import { isHarmless } from './harmless.ts';
import { looksIssued, looksRandom, looksScrambled, looksSecret, looksTyped, looksWeak } from './looks-secret.ts';
import { isPlaceholder, MASK } from './mask.ts';
import { isRandomWord } from './mask-random.ts';

/** Up to the last @ before the path: passwords may contain one. */
const PASSWORD = /(:\/\/[^\s/:@'"`<>]{0,200}:)([^\s/'"`<>]{1,500})(?=@)/g;
/** `https://TOKEN@host`, `https://TOKEN:x-oauth-basic@host`; a user name is shorter, or a word. */
const TOKEN_AS_USER = /(:\/\/)([\w-]{16,255})(?=(?::[^\s/@'"`<>]{0,200})?@[\w.-])/g;
/** Without a scheme: `name:password@host.example`. */
const USER_AT_HOST =
  /((?:^|[\s"'`=>/\\])[\w.+-]{1,64}:)([^\s"'`<>/:@\\]{4,200}|[^\s"'`<>/:@\\]{1,100}@[^\s"'`<>/:@\\]{1,100})(?=@(?:[\w-]{1,63}\.){1,6}[\w-]{1,63}(?![\w-]))/gm;
const SIGNATURE =
  /([?&](?:sig|signature|x-amz-signature|x-amz-security-token|x-goog-signature)=)([^\s&'"`<>]{8,4000})/gi;
const CODE = /([?&](?:key|code|auth)=)([^\s&'"`<>[(]{8,4000})/gi;

const ONE_TIME = /([?&](?:otp|pin|passcode|pwd|mfa|totp)=)([^\s&'"`<>]{4,200})/gi;
/** `https://host/magic/TOKEN`, `/reset-password/TOKEN` */
const LINK =
  /(:\/\/[^\s'"`<>]{1,200}?\/(?:magic|magic-link|invite|invitation|reset|reset-password|password-reset|verify|confirm|activate|unsubscribe|join|login|auth|callback|token|key|apikey|secret|claim|accept|services|hooks?|webhooks?)\/(?:\w{1,12}\/)?)([\w.~-]{20,500})/gi;

/** Nodes of a chain take the key in the path. */
const NODE =
  /(:\/\/[\w.-]{0,60}(?:infura|alchemy|alchemyapi|quiknode|quicknode|moralis|ankr|getblock|chainstack|blockdaemon)\.\w{2,4}\/(?:[\w-]{1,20}\/){0,3})([\w-]{20,80})/g;
/** `https://host/reset?t=…` */
const ONE_TIME_LINK =
  /(:\/\/[^\s'"`<>?]{1,200}\/(?:magic|invite|invitation|reset|password|verify|confirm|activate|login|signin|join|claim|accept)[\w/-]{0,40}\?(?:[\w.-]{1,40}=[^\s&'"`<>]{0,60}&)?[\w.-]{1,20}=)([0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{24,128})/gi;

/** These services check who may see the page. */
const OPEN = /(?:docs\.google|googleusercontent|youtube|figma|notion|airtable)\.\w{2,3}\//;
/** A long segment of a path that nobody would type opens whatever is behind it: `https://hooks.example.com/services/TOKEN`. */
const SEGMENT = /(:\/\/[^\s'"`<>?#]{1,300}\/)([\w~-]{24,500})(?=$|[\s'"`<>?#/)\]\\])/g;

/** A value issued by a service, under any name, including in a fragment. */
const PARAMETER =
  /([?&#](?!(?:\w{0,20}(?:id|hash|sha|digest|etag|integrity|version|commit|ref|rev|cursor|after|before)|v)=)[\w.-]{1,40}=)([\w.~%-]{20,4000})/gi;

/** In a posted form. */
const FORM = /(&pass(?:wd)?=)([^\s&'"`<>]{3,500})/gi;

/** Secrets in URLs and forms: passwords, tokens, signatures and one-time codes. */
export function maskAddresses(text: string): string {
  const posted = /&pass/i.test(text) ? text.replace(FORM, `$1${MASK}`) : text;
  const users = posted.includes('@') ? posted.replace(USER_AT_HOST, maskUser) : posted;
  return maskSchemes(users);
}

function maskUser(whole: string, before: string, password: string): string {
  const isOne = looksTyped(password) || looksWeak(password) || looksSecret(password);
  return isOne && !isPlaceholder(password) ? `${before}${MASK}` : whole;
}

function maskSchemes(posted: string): string {
  if (!posted.includes('://')) return /[?&]/.test(posted) ? maskParameters(posted) : posted;
  const addresses = posted
    .replace(PASSWORD, (whole, before: string, password: string) =>
      isPlaceholder(password) ? whole : `${before}${MASK}`,
    )
    .replace(TOKEN_AS_USER, (whole, before: string, token: string) =>
      /\d/.test(token) && /[a-z]/i.test(token) ? `${before}${MASK}` : whole,
    )
    .replace(LINK, (whole, before: string, token: string) =>
      looksIssued(token) || isGibberish(token) ? `${before}${MASK}` : whole,
    )
    .replace(NODE, `$1${MASK}`)
    .replace(SEGMENT, (whole, before: string, token: string) =>
      looksSecret(token) && !isHarmless(token) && isRandomWord(token) && !OPEN.test(before)
        ? `${before}${MASK}`
        : whole,
    );
  return maskParameters(addresses);
}

function maskParameters(text: string): string {
  return text
    .replace(SIGNATURE, `$1${MASK}`)
    .replace(ONE_TIME, `$1${MASK}`)
    .replace(ONE_TIME_LINK, `$1${MASK}`)
    .replace(PARAMETER, (whole, before: string, value: string) => (looksScrambled(value) ? `${before}${MASK}` : whole))
    .replace(CODE, (whole, before: string, value: string) =>
      isPlaceholder(value) || !(looksRandom(value) || /^[A-Z]{4}-/.test(value)) ? whole : `${before}${MASK}`,
    );
}
