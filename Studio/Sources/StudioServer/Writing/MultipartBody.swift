import Foundation

/// The fields and files of a form that was sent as `multipart/form-data`, which is how browsers send files.
struct MultipartBody {
  struct Part {
    let name: String
    /// The name of the chosen file; empty if none was chosen; nil for a field that is not a file's.
    let fileName: String?
    let content: Data
  }

  let parts: [Part]

  /// - Throws: A `StudioError` if the body does not have the format of RFC 7578.
  init(_ body: Data, contentType: String) throws {
    guard let boundary = Self.parameter("boundary", in: contentType), !boundary.isEmpty else { throw Self.damaged }
    let delimiter = Data("--\(boundary)".utf8)
    var parts: [Part] = []
    guard body.starts(with: delimiter) else { throw Self.damaged }
    var position = body.startIndex + delimiter.count
    let separator = Data("\r\n--\(boundary)".utf8)
    while true {
      let rest = body[position...]
      if rest.starts(with: Data("--".utf8)) { break }
      guard rest.starts(with: Data("\r\n".utf8)),
        let headEnd = body.range(of: Data("\r\n\r\n".utf8), in: position..<body.endIndex),
        let end = body.range(of: separator, in: headEnd.upperBound..<body.endIndex)
      else { throw Self.damaged }
      let head = String(decoding: body[(position + 2)..<headEnd.lowerBound], as: UTF8.self)
      guard
        let line = head.components(separatedBy: "\r\n").first(where: {
          $0.lowercased().hasPrefix("content-disposition:")
        }),
        let name = Self.parameter("name", in: line)
      else { throw Self.damaged }
      let content = Data(body[headEnd.upperBound..<end.lowerBound])
      parts.append(Part(name: name, fileName: Self.parameter("filename", in: line), content: content))
      position = end.upperBound
    }
    self.parts = parts
  }

  private static let damaged = StudioError(
    .badRequest, "The form cannot be read",
    "It is not what a browser sends for it. Open the page again and send it from there.")

  /// Returns a parameter of a header, with or without quotation marks. Inside of them, browsers write quotation marks as %22.
  private static func parameter(_ name: String, in header: String) -> String? {
    for piece in header.split(separator: ";").dropFirst() {
      let pair = piece.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      guard pair.count == 2, pair[0].lowercased() == name else { continue }
      let value = pair[1].hasPrefix("\"") && pair[1].hasSuffix("\"") ? String(pair[1].dropFirst().dropLast()) : pair[1]
      return value.replacing("%22", with: "\"").replacing("%0D", with: "\r").replacing("%0A", with: "\n")
    }
    return nil
  }
}
