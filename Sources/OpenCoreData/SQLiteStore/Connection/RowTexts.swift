/// Memory for the texts of one row that is being written. SQLite is told that the texts stay in place, so it makes no copies
/// of them.
///
/// SQLite has to copy the texts that do not fit.
final class RowTexts {
  private let start: UnsafeMutablePointer<CChar>  // freed in `deinit`
  private let capacity = 4096
  private var used = 0

  init() { start = .allocate(capacity: capacity) }

  deinit { start.deallocate() }

  /// Begins a row: the texts of the last row are not needed any more.
  @inline(__always)
  func begin() { used = 0 }

  /// Returns a copy of the text that stays until the next row begins; nil if there is no room.
  @inline(__always)
  func keep(_ text: UnsafeBufferPointer<CChar>) -> UnsafePointer<CChar>? {
    guard let source = text.baseAddress, text.count <= capacity - used else { return nil }
    let place = start + used
    place.update(from: source, count: text.count)
    used += text.count
    return UnsafePointer(place)
  }
}
