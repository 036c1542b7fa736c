import Foundation

/// The reason why a document cannot be read.
package struct XMLProblem: Error {
  package enum Kind: Sendable {
    /// The document is not UTF-8.
    case encoding
    /// The document is not well-formed, or is larger or more deeply nested than the reader accepts.
    case form
  }

  package let kind: Kind
  /// A sentence.
  package let reason: String
  /// The byte.
  package let place: Int

  package init(kind: Kind, reason: String, place: Int) {
    self.kind = kind
    self.reason = reason
    self.place = place
  }

  /// The line and the column of the place, both from 1; columns count bytes.
  package func position(in data: Data) -> (line: Int, column: Int) {
    var places = XMLPlaces(data)
    return places.advance(to: place)
  }
}

/// Lines and columns of places that come one after the other.
package struct XMLPlaces {
  private let data: Data
  private var place = 0
  private var line = 1
  private var start = 0

  package init(_ data: Data) { self.data = data }

  /// The line and the column of a byte, both from 1; a place before the latest one has the latest one's line at least.
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
