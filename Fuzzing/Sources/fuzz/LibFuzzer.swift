import Foundation

/// libFuzzer's loop: calls the function with one input after the other.
@_silgen_name("LLVMFuzzerRunDriver")
func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// libFuzzer's own change of some bytes.
@_silgen_name("LLVMFuzzerMutate")
func mutateBytes(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ capacity: Int) -> Int

/// Changes an input: libFuzzer calls this wherever it would change bytes itself.
@_cdecl("LLVMFuzzerCustomMutator")
func mutateInput(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ capacity: Int, _ seed: UInt32) -> Int {
  if running.isPropertyList, seed % 4 != 0 {
    var mutator = PropertyListMutator(seed: UInt64(seed))
    if let changed = mutator.mutate(Data(bytes: bytes, count: count)), changed.count <= capacity {
      changed.copyBytes(to: bytes, count: changed.count)
      return changed.count
    }
  }
  return mutateBytes(bytes, count, capacity)
}

/// Keeps the input that overflows the stack. libFuzzer's own handler needs the stack, and the input would be lost.
enum StackOverflow {
  /// The input being tried. libFuzzer tries one at a time.
  nonisolated(unsafe) static var bytes: UnsafePointer<UInt8>?
  nonisolated(unsafe) static var count = 0
  nonisolated(unsafe) private static var file: UnsafeMutablePointer<CChar>?

  /// The runs are told `-handle_segv=0`, so that this handler stays.
  static func keepInput(in folder: String) {
    file = strdup("\(folder)/segv-\(getpid())-\(Int(Date().timeIntervalSince1970))")
    var stack = stack_t(
      ss_sp: UnsafeMutableRawPointer.allocate(byteCount: 1 << 16, alignment: 16), ss_flags: 0, ss_size: 1 << 16)
    sigaltstack(&stack, nil)
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in
      if let file = StackOverflow.file {
        let descriptor = open(file, O_CREAT | O_WRONLY, 0o644)
        _ = write(descriptor, StackOverflow.bytes, StackOverflow.count)
      }
      _exit(77)
    }
    action.sa_flags = SA_ONSTACK
    sigaction(SIGSEGV, &action, nil)
    sigaction(SIGBUS, &action, nil)
  }
}
