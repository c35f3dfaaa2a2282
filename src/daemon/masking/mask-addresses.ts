import { looksRandom, looksScrambled, looksSecret } from './looks-secret.ts';
import { isPlaceholder, MASK } from './mask.ts';

/** Up to the last @ before the path: passwords may contain one. */
const PASSWORD = /(:\/\/[^\s/:@'"`<>]{0,200}:)([^\s/'"`<>]{1,500})(?=@)/g;
/** `https://TOKEN@host`, `https://TOKEN:x-oauth-basic@host`; a user name is shorter, or a word. */
const TOKEN_AS_USER = /(:\/\/)([\w-]{16,255})(?=(?::[^\s/@'"`<>]{0,200})?@[\w.-])/g;
const SIGNATURE =
  /([?&](?:sig|signature|x-amz-signature|x-amz-security-token|x-goog-signature)=)([^\s&'"`<>]{8,4000})/gi;
const CODE = /([?&](?:key|code|auth)=)([^\s&'"`<>]{8,4000})/gi;

const ONE_TIME = /([?&](?:otp|pin|passcode|pwd|mfa|totp)=)([^\s&'"`<>]{4,200})/gi;
/** `https://host/magic/TOKEN`, `/reset-password/TOKEN` */
const LINK =
  /(:\/\/[^\s'"`<>]{1,200}?\/(?:magic|magic-link|invite|invitation|reset|reset-password|password-reset|verify|confirm|activate|unsubscribe|join|login|auth|callback|token|claim|accept)\/(?:\w{1,12}\/)?)([\w.~-]{20,500})/gi;

/** A value issued by a service, under any name, including in a fragment. */
const PARAMETER =
  /([?&#](?!(?:\w{0,20}(?:id|hash|sha|digest|etag|integrity|version|commit|ref|rev|cursor|after|before)|v)=)[\w.-]{1,40}=)([\w.~%-]{20,4000})/gi;

/** In a posted form. */
const FORM = /(&pass(?:wd)?=)([^\s&'"`<>]{3,500})/gi;

/** Secrets in URLs and forms: passwords, tokens, signatures and one-time codes. */
export function maskAddresses(text: string): string {
  const posted = /&pass/i.test(text) ? text.replace(FORM, `$1${MASK}`) : text;
  if (!posted.includes('://')) return posted;
  return posted
    .replace(PASSWORD, (whole, before: string, password: string) =>
      isPlaceholder(password) ? whole : `${before}${MASK}`,
    )
    .replace(TOKEN_AS_USER, (whole, before: string, token: string) =>
      /\d/.test(token) && /[a-z]/i.test(token) ? `${before}${MASK}` : whole,
    )
    .replace(SIGNATURE, `$1${MASK}`)
    .replace(ONE_TIME, `$1${MASK}`)
    .replace(LINK, (whole, before: string, token: string) => (looksSecret(token) ? `${before}${MASK}` : whole))
    .replace(PARAMETER, (whole, before: string, value: string) => (looksScrambled(value) ? `${before}${MASK}` : whole))
    .replace(CODE, (whole, before: string, value: string) =>
      isPlaceholder(value) || !(looksRandom(value) || /^[A-Z]{4}-/.test(value)) ? whole : `${before}${MASK}`,
    );
}
