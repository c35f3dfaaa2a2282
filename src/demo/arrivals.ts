/** Who is still on the way to the present. On a busy machine agents are late, and a picture of them must wait. */
export class Arrivals {
  readonly #underWay = new Set<object>();
  readonly #done: Promise<void>;
  #resolve: () => void = () => undefined;
  #missing: number;

  /** So many sessions are to come; each adds its agents. */
  constructor(sessions: number) {
    this.#missing = sessions;
    this.#done = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  get all(): Promise<void> {
    return this.#done;
  }

  begin(actor: object, { isSession }: { isSession: boolean }): void {
    this.#underWay.add(actor);
    if (isSession) this.#missing--;
  }

  arrive(actor: object): void {
    this.#underWay.delete(actor);
    if (this.#missing <= 0 && this.#underWay.size === 0) this.#resolve();
  }
}
