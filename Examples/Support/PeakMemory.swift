import Foundation

/// The most memory that the program has had, as reported by the kernel.
package enum PeakMemory {
  /// Resets the peak to the memory that the program uses now. What it has used before and is free is given back: an allocator
  /// keeps most of it.
  package static func forget() {
    // Swift's Glibc module has not the C library's `malloc_trim`, so that it is looked up by its name.
    typealias Trim = @convention(c) (Int) -> Int32
    if let trim = dlsym(dlopen(nil, RTLD_NOW), "malloc_trim") { _ = unsafeBitCast(trim, to: Trim.self)(0) }
    try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
  }

  /// The peak in MB; 0 if the kernel does not report it.
  package static var megabytes: Double {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    let kilobytes = line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Double($0) }
    return (kilobytes ?? 0) / 1024
  }
}
