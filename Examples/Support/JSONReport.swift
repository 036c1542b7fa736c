import Foundation

/// What a run found, for people and as JSON.
package protocol JSONReport: Encodable {
  var text: String { get }
}

extension JSONReport {
  /// The report as JSON, keys in a fixed order.
  package func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}
