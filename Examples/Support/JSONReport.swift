import CommandSupport
import Foundation

/// The result of a run, as text for people and as JSON.
package protocol JSONReport: Encodable {
  var text: String { get }
}

extension JSONReport {
  /// The report as JSON, keys in a fixed order.
  package func json() throws -> String { try JSONEncoder.tool.text(of: self) }
}
