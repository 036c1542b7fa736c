import Foundation

extension JSONEncoder {
  /// An encoder that writes JSON as the tool does: readable for people, with keys in a fixed order and dates with
  /// milliseconds.
  public static var tool: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
    }
    return encoder
  }

  /// Returns a value as JSON text.
  public func text(of value: some Encodable) throws -> String { String(decoding: try encode(value), as: UTF8.self) }
}
