import { DomainError } from '../../errors.ts';

export class UnknownMessage extends DomainError {
  constructor(id: string) {
    super('message.unknown', 404, `No message ${id} in this transcript.`);
  }
}

export class NoTranscript extends DomainError {
  constructor(sessionId: string) {
    super('transcript.unknown', 404, `Session ${sessionId} has no transcript on disk.`);
  }
}

export class NoAgentTranscript extends DomainError {
  constructor(sessionId: string, agentId: string) {
    super('transcript.unknown_agent', 404, `Session ${sessionId} has no transcript for subagent ${agentId}.`);
  }
}

export class UnknownImage extends DomainError {
  constructor(id: string) {
    super('image.unknown', 404, `No image ${id} in this transcript.`);
  }
}
