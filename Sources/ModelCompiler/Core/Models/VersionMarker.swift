import Foundation
import XMLReading

/// The contents of `.xccurrentversion`, a property list in XML or binary form.
///
/// Casting a binary list that contains a set to a dictionary stops the program in Foundation, while decoding throws.
/// Foundation's reader of lists in XML recurses as deeply as the bytes say.
enum VersionMarker {
  private struct Contents: Decodable {
    let name: String

    enum CodingKeys: String, CodingKey { case name = "_XCCurrentVersionName" }
  }

  /// The name of the current version; nil if the file has none.
  static func version(_ data: Data) -> String? {
    if data.starts(with: Data("bplist".utf8)) {
      return (try? PropertyListDecoder().decode(Contents.self, from: data))?.name
    }
    return try? versionInXML(data)
  }

  /// The string behind the key, in the dictionary at the top.
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
