import type { Passkey } from '../../../src/contract/passkeys.ts';
import { addPasskey, startPasskey } from '../../../src/contract/routes/passkeys.ts';
import { base64url } from '../api/base64url.ts';
import { call } from '../api/request.ts';

/* The browser's own JSON helpers for this are newer than passkeys, so we convert by hand. */

export const hasPasskeys = (): boolean => window.isSecureContext && 'PublicKeyCredential' in window;

/** Asks the authenticator to confirm. Returns what goes into the header. */
export async function confirmByPasskey(options: PublicKeyCredentialRequestOptionsJSON): Promise<string> {
  const credential = await navigator.credentials.get({
    publicKey: {
      challenge: bytesOf(options.challenge),
      rpId: options.rpId ?? location.hostname,
      timeout: options.timeout ?? 60_000,
      userVerification: 'required',
      allowCredentials: (options.allowCredentials ?? []).map(toDescriptor),
    },
  });
  const { id, rawId, response } = credential as PublicKeyCredential & { response: AuthenticatorAssertionResponse };
  const answer = {
    id,
    rawId: base64url(rawId),
    type: 'public-key',
    response: {
      clientDataJSON: base64url(response.clientDataJSON),
      authenticatorData: base64url(response.authenticatorData),
      signature: base64url(response.signature),
    },
    clientExtensionResults: {},
  };
  return base64url(new TextEncoder().encode(JSON.stringify(answer)).buffer);
}

/** Makes a passkey on this device and registers it. `code`: from the machine, for a device elsewhere. */
export async function makePasskey({ name, code }: { name: string; code: string | undefined }): Promise<Passkey> {
  const { options } = await call(startPasskey, { body: code === undefined ? {} : { code } });
  const asked = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const credential = await navigator.credentials.create({
    publicKey: {
      rp: asked.rp,
      user: { ...asked.user, id: bytesOf(asked.user.id) },
      challenge: bytesOf(asked.challenge),
      pubKeyCredParams: asked.pubKeyCredParams as PublicKeyCredentialParameters[],
      timeout: asked.timeout ?? 60_000,
      attestation: 'none',
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
      excludeCredentials: (asked.excludeCredentials ?? []).map(toDescriptor),
    },
  });
  const { id, rawId, response } = credential as PublicKeyCredential & { response: AuthenticatorAttestationResponse };
  return call(addPasskey, {
    body: {
      name,
      response: {
        id,
        rawId: base64url(rawId),
        type: 'public-key',
        response: {
          clientDataJSON: base64url(response.clientDataJSON),
          attestationObject: base64url(response.attestationObject),
          transports: response.getTransports?.() ?? [],
        },
        clientExtensionResults: {},
      },
    },
  });
}

/** What went wrong at the authenticator, in words. */
export function passkeyFailure(error: unknown): string {
  if (!(error instanceof DOMException)) return error instanceof Error ? error.message : String(error);
  switch (error.name) {
    case 'NotAllowedError':
      return 'The passkey was canceled or took too long. Try again.';
    case 'InvalidStateError':
      return 'This device already has a passkey for Ground Control.';
    case 'SecurityError':
      return 'The browser refuses passkeys at this address. They need HTTPS and a host name.';
    default:
      return `The passkey failed: ${error.message}`;
  }
}

const toDescriptor = ({ id, transports }: PublicKeyCredentialDescriptorJSON): PublicKeyCredentialDescriptor => ({
  type: 'public-key',
  id: bytesOf(id),
  ...(transports ? { transports: transports as AuthenticatorTransport[] } : {}),
});

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
