import CommandSupport
import Foundation

/// The result of a run, as text for people and as JSON.
package protocol JSONReport: Encodable {
  var text: String { get }
}

extension JSONReport {
  /// Returns the report as JSON, with the keys in a fixed order.
  package func json() throws -> String { try JSONEncoder.tool.text(of: self) }
}
