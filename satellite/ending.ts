/** Ends the program with a sentence for the person. Code 2: a retry changes nothing, so a person must act. */
export class Ending extends Error {
  override readonly name = 'Ending';
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 2) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The server does not know this satellite's token, or no longer accepts it. */
export class TokenRejected extends Ending {}
