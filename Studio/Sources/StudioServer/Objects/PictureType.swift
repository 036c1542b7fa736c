import Foundation

/// The kinds of pictures that browsers show and that can contain no script, recognized by their first bytes.
enum PictureType: String {
  case png = "image/png"
  case jpeg = "image/jpeg"
  case gif = "image/gif"
  case webP = "image/webp"

  init?(_ bytes: Data) {
    let start = Array(bytes.prefix(12))
    func begins(_ text: [UInt8]) -> Bool { start.starts(with: text) }
    if begins([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if begins([0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if begins(Array("GIF8".utf8)) {
      self = .gif
    } else if begins(Array("RIFF".utf8)), start.count == 12, start[8...] == Array("WEBP".utf8)[...] {
      self = .webP
    } else {
      return nil
    }
  }
}
