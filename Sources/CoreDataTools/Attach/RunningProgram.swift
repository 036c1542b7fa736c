#if os(Linux)
  import CommandSupport
  import Foundation
  import OpenCoreData

  /// A program that can be looked into, since it has called `CoreDataInstruments.listen()`.
  public struct RunningProgram: Sendable {
    /// The process ID.
    public let process: Int
    /// The socket at which the program listens.
    public let socket: URL

    /// The name of the program; its number if the system does not tell.
    public var name: String {
      let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")
      return path.map { URL(fileURLWithPath: $0).lastPathComponent } ?? "\(process)"
    }

    /// The programs of this user that listen, by their numbers; also those that do not answer now. Sockets of programs that are gone
    /// are removed.
    /// - Parameter folder: the folder that the programs listen in; nil for the one that `listen()` takes by itself.
    /// - Throws: a `ToolError` for a folder that others can enter.
    public static func all(in folder: URL? = nil) throws -> [RunningProgram] {
      let path = folder?.path ?? LocalSocket.standardFolder
      guard FileManager.default.fileExists(atPath: path) else { return [] }
      do { try LocalSocket.check(path) } catch { throw ToolError(error.localizedDescription) }
      let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
      return files.compactMap { file -> RunningProgram? in
        guard file.hasSuffix(".sock"), let process = Int(file.dropLast(5)), process > 0 else { return nil }
        let socket = URL(fileURLWithPath: path).appendingPathComponent(file)
        do { close(try LocalSocket.connected(to: socket.path)) } catch {
          let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
          // Its queue of connections is full: it is stopped, or has much to do.
          if cause?.code == Int(EAGAIN) { return RunningProgram(process: process, socket: socket) }
          // A process with that number may be about to listen in place of the one that is gone.
          let isGone = kill(pid_t(truncatingIfNeeded: process), 0) != 0 && errno == ESRCH
          if cause?.code == Int(ECONNREFUSED), isGone { unlink(socket.path) }
          return nil
        }
        return RunningProgram(process: process, socket: socket)
      }.sorted { $0.process < $1.process }
    }

    /// Returns the program with that process ID or socket.
    /// - Throws: a `ToolError` if there is none.
    public static func named(_ text: String, in folder: URL? = nil) throws -> RunningProgram {
      if let process = Int(text) {
        guard let program = try all(in: folder).first(where: { $0.process == process }) else {
          throw ToolError(
            "No program with the process ID \(process) listens. It has to call CoreDataInstruments.listen().")
        }
        return program
      }
      let url = URL(fileURLWithPath: text).standardizedFileURL
      guard FileManager.default.fileExists(atPath: url.path) else {
        throw ToolError("There is no socket at \(url.path).")
      }
      return RunningProgram(process: Int(url.deletingPathExtension().lastPathComponent) ?? 0, socket: url)
    }

    /// Connects to the program.
    /// - Throws: a `ToolError` if the program is gone, or belongs to another user.
    public func connection() throws -> ProgramConnection { try ProgramConnection(socket) }
  }
#endif
