/** Ends the program with a sentence for the person. Code 2: trying again changes nothing, the person has to fix something. */
export class Ending extends Error {
  override readonly name = 'Ending';
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 2) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The house does not know the token of this satellite, or not any more. */
export class LockedOut extends Ending {}
