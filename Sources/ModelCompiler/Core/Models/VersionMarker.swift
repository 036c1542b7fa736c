import Foundation
import XMLReading

/// Reads `.xccurrentversion`, a property list in XML or binary.
///
/// If a binary list contains a set, casting it to a dictionary with Foundation stops the program, while decoding it
/// throws. Foundation's reader of XML lists recurses as deep as the bytes nest.
enum VersionMarker {
  private struct Contents: Decodable {
    let name: String

    enum CodingKeys: String, CodingKey { case name = "_XCCurrentVersionName" }
  }

  /// Returns the name of the current version; nil if the file has none.
  static func version(_ data: Data) -> String? {
    if data.starts(with: Data("bplist".utf8)) {
      return (try? PropertyListDecoder().decode(Contents.self, from: data))?.name
    }
    return try? versionInXML(data)
  }

  /// Returns the string after the key, in the top-level dictionary.
  private static func versionInXML(_ data: Data) throws(XMLProblem) -> String? {
    var scanner = try XMLScanner(data)
    var open: [String] = []
    var text = ""
    var key = ""
    var version: String?
    while true {
      switch try scanner.next() {
      case .start(let name, _):
        open.append(name)
        text = ""
      case .text(let part): text += part
      case .end:
        if open == ["plist", "dict", "key"] { key = text }
        if open == ["plist", "dict", "string"], key == Contents.CodingKeys.name.rawValue { version = text }
        open.removeLast()
      case .finished: return version
      }
    }
  }
}
