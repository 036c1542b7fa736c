import Foundation

/// An error in a document.
package struct XMLProblem: Error {
  package enum Kind: Sendable {
    /// The document is not UTF-8.
    case encoding
    /// The document is not well-formed, or exceeds a limit of the scanner.
    case form
  }

  package let kind: Kind
  /// The reason, as a sentence.
  package let reason: String
  /// The offset of the byte with the problem.
  package let place: Int

  package init(kind: Kind, reason: String, place: Int) {
    self.kind = kind
    self.reason = reason
    self.place = place
  }

  /// Returns the line and the column of the place, both from 1; columns count bytes.
  package func position(in data: Data) -> (line: Int, column: Int) {
    var places = XMLPlaces(data)
    return places.advance(to: place)
  }
}

/// Finds the lines and columns of places that are given in ascending order.
package struct XMLPlaces {
  private let data: Data
  private var place = 0
  private var line = 1
  private var start = 0

  package init(_ data: Data) { self.data = data }

  /// Returns the line and the column of a byte, both from 1. For a place before the latest one, the line is that of the
  /// latest one.
  package mutating func advance(to place: Int) -> (line: Int, column: Int) {
    let end = min(place, data.count)
    if end > self.place {
      for (index, byte) in zip(self.place..<end, data.dropFirst(self.place)) where byte == UInt8(ascii: "\n") {
        line += 1
        start = index + 1
      }
      self.place = end
    }
    return (line, max(place - start, 0) + 1)
  }
}
