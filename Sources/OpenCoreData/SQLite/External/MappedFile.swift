import Foundation
import Synchronization

/// Reads files into memory that is filled when it is touched.
///
/// A mapped file may be removed, but must never be written again: its bytes would change under whoever has them, and what
/// is cut off cannot be read any more at all.
enum MappedFile {
  /// Smaller files are read at once: a mapping costs the system more.
  private static let smallest = 65_536
  /// The system allows a process some 65,000 mappings, and memory allocation needs them, too.
  static let limit = 8192
  private static let count = Atomic<Int>(0)

  /// How many files are mapped now.
  static var mapped: Int { count.load(ordering: .relaxed) }

  /// The contents of a regular file.
  ///
  /// - Returns: whether they are mapped, and not in memory of the process's own; or the system's error.
  static func read(_ path: String) -> Result<(data: Data, isMapped: Bool), POSIXError> {
    // Not waiting for the other end, where somebody put a pipe in the file's place.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return .failure(lastError) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { return .failure(lastError) }
    guard status.st_mode & S_IFMT == S_IFREG else { return .failure(POSIXError(.EINVAL)) }
    let size = Int(status.st_size)
    if size >= smallest, let data = map(file, size) { return .success((data, true)) }
    return read(file, size).map { ($0, false) }
  }

  private static func map(_ file: Int32, _ size: Int) -> Data? {
    guard count.wrappingAdd(1, ordering: .relaxed).newValue <= limit,
      let bytes = mmap(nil, size, PROT_READ, MAP_PRIVATE, file, 0), bytes != MAP_FAILED
    else {
      count.wrappingSubtract(1, ordering: .relaxed)
      return nil
    }
    return Data(
      bytesNoCopy: bytes, count: size,
      deallocator: .custom { bytes, size in
        munmap(bytes, size)
        count.wrappingSubtract(1, ordering: .relaxed)
      })
  }

  private static func read(_ file: Int32, _ size: Int) -> Result<Data, POSIXError> {
    var data = Data(count: size)
    var filled = 0
    while filled < size {
      let got = data.withUnsafeMutableBytes {
        pread(file, $0.baseAddress.map { $0 + filled }, size - filled, off_t(filled))
      }
      if got < 0, errno == EINTR { continue }
      if got < 0 { return .failure(lastError) }
      if got == 0 { break }
      filled += got
    }
    return .success(filled == size ? data : data.prefix(filled))
  }

  /// What the last call of the system failed with.
  static var lastError: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
