import CommandSupport
import Foundation

/// What a run found, for people and as JSON.
package protocol JSONReport: Encodable {
  var text: String { get }
}

extension JSONReport {
  /// The report as JSON, keys in a fixed order.
  package func json() throws -> String { try JSONEncoder.tool.text(of: self) }
}
