import CoreData
import ExampleSupport

/// Fills the stores of a search with sightings and with their words, as three kinds of objects and a number.
@MainActor struct Filling {
  let stack: Stack
  /// How many sightings a save has.
  private let batch = 1000

  /// - Parameter each: Called after each batch with the number of sightings so far.
  /// - Throws: The errors of saving.
  func fill(_ count: Int, each: (Int) -> Void) throws {
    let tokens = Vocabulary<Token>(stack.context) { $0.text = $1 }
    let words = Vocabulary<Word>(stack.context) { $0.text = $1 }
    let own = Vocabulary<Word>(stack.ownContext) { $0.text = $1 }
    for start in stride(from: 0, to: count, by: batch) {
      let sightings = (start..<min(start + batch, count)).map { sighting($0, tokens) }
      // A URI is of use to others only when it is the one that the object keeps.
      try stack.context.obtainPermanentIDs(for: sightings)
      note(sightings, words)
      note(sightings, own)
      // The sightings first: a key that was handed out and never saved may go to another sighting, which the words would name. A
      // program that is stopped in between makes the words of its last sightings again.
      try stack.context.save()
      try stack.ownContext.save()
      [tokens.noteSaved, words.noteSaved, own.noteSaved].forEach { $0() }
      stack.context.reset()
      stack.ownContext.reset()
      each(start + sightings.count)
    }
  }

  private func sighting(_ number: Int, _ tokens: Vocabulary<Token>) -> Sighting {
    let record = SightingRecord(number: number)
    let sighting = Sighting(context: stack.context)
    sighting.identifier = record.identifier
    sighting.place = record.place
    sighting.canonicalPlace = record.place.canonical
    sighting.signature = Signature.of(record.place)
    for word in record.place.words { sighting.addToTokens(tokens[word]) }
    return sighting
  }

  /// Notes the words of sightings for a store that knows the sightings by their URIs.
  private func note(_ sightings: [Sighting], _ words: Vocabulary<Word>) {
    for sighting in sightings {
      let hit = Hit(context: words.context)
      hit.uri = sighting.objectID.uriRepresentation().absoluteString
      for word in (sighting.place ?? "").words { hit.addToWords(words[word]) }
    }
  }
}
