import Foundation

/// The most memory that the program has had, as reported by the kernel.
package enum PeakMemory {
  /// Resets the peak to the memory that the program has now.
  package static func forget() { try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs")) }

  /// The peak in MB; 0 if the kernel does not report it.
  package static var megabytes: Double {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    let kilobytes = line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Double($0) }
    return (kilobytes ?? 0) / 1024
  }
}
