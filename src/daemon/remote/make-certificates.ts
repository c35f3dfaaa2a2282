import { randomBytes, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import type { X509Certificate } from '@peculiar/x509';

const DAY_MS = 86_400_000;
/** Apple accepts at most 825 days, and browsers are moving to less. */
const LEAF_DAYS = 397;
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1';

export interface MadeCertificates {
  /** The CA that phones have to trust. */
  caPem: string;
  certPem: string;
  keyPem: string;
}

/**
 * A certificate for these names, and the CA that signed it. The CA's key is discarded, so an agent that reads our files can't sign other
 * names, and a phone that trusts the CA trusts only these names.
 */
export async function makeCertificates(names: readonly string[], now: number): Promise<MadeCertificates> {
  // the library requires it; both are loaded only when the door is opened
  await import('reflect-metadata');
  const x509 = await import('@peculiar/x509');
  x509.cryptoProvider.set(webcrypto as unknown as Crypto);
  const dates = { notBefore: new Date(now - DAY_MS), notAfter: new Date(now + LEAF_DAYS * DAY_MS) };
  const caKeys = await generate(true);
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serial(),
    name: `CN=Ground Control on ${names[0]}`,
    ...dates,
    keys: caKeys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(caKeys.publicKey),
    ],
  });
  const keys = await generate(true);
  const leaf = await x509.X509CertificateGenerator.create({
    serialNumber: serial(),
    subject: `CN=${names[0]}`,
    issuer: ca.subject,
    ...dates,
    publicKey: keys.publicKey,
    signingKey: caKeys.privateKey,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(false),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([SERVER_AUTH]),
      new x509.SubjectAlternativeNameExtension(
        names.map((value) => ({ type: isIP(value) ? ('ip' as const) : ('dns' as const), value })),
      ),
      await x509.AuthorityKeyIdentifierExtension.create(caKeys.publicKey),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
  return { caPem: pem(ca), certPem: pem(leaf), keyPem: wrap('PRIVATE KEY', pkcs8.toString('base64')) };
}

const pem = (certificate: X509Certificate) => `${certificate.toString('pem')}\n`;

function wrap(label: string, base64: string): string {
  return `-----BEGIN ${label}-----\n${base64.replace(/.{64}/g, '$&\n').trimEnd()}\n-----END ${label}-----\n`;
}

function generate(extractable: boolean): Promise<CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, extractable, ['sign', 'verify']) as Promise<CryptoKeyPair>;
}

/** Positive and non-zero, as strict verifiers require. */
function serial(): string {
  return `01${randomBytes(15).toString('hex')}`;
}
