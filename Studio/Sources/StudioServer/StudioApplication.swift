import Foundation
import HTTPTypes
import Hummingbird
import Logging

/// The studio as a server.
public struct StudioApplication: Sendable {
  let studio: Studio

  /// - Throws: An error if the templates are missing.
  public init(_ settings: StudioSettings) throws { studio = try Studio(settings) }

  /// Returns the address to open, which contains the key.
  /// - Parameter port: The port that the server listens at.
  public func address(port: Int) -> String {
    let host = AllowedHosts.reachable(studio.settings.host)
    return "http://\(host):\(port)\(AccessGuard<BasicRequestContext>.entrance)?key=\(studio.key.text)"
  }

  /// Makes the server, which can be run as a service, or tested.
  /// - Parameter onStart: Called with the port when the server listens.
  public func server(onStart: @escaping @Sendable (_ port: Int) async -> Void = { _ in }) -> some ApplicationProtocol {
    var logger = Logger(label: "studio")
    logger.logLevel = .error
    return Application(
      router: router,
      configuration: .init(
        address: .hostname(studio.settings.host, port: studio.settings.port), serverName: nil),
      onServerRunning: { await onStart($0.localAddress?.port ?? 0) },
      logger: logger)
  }

  private var router: Router<BasicRequestContext> {
    let router = Router(context: BasicRequestContext.self)
    router.add(middleware: SecurityHeaders())
    router.add(middleware: ErrorPages(studio: studio))
    router.add(middleware: AccessGuard(key: studio.key, hosts: AllowedHosts(studio.settings.host)))
    router.add(middleware: DecodedParts())
    let studio = studio
    router.get("/enter") { request, _ in
      guard let key = request.uri.queryParameters["key"], studio.key.matches(key) else {
        throw StudioError(
          .unauthorized, "The key is wrong", "Open the address that the studio printed when it was started last.")
      }
      var response = Response.redirect(to: "/")
      response.setCookie(
        Cookie(
          name: AccessGuard<BasicRequestContext>.cookie, value: studio.key.text, path: "/", secure: false,
          httpOnly: true, sameSite: .strict))
      return response
    }
    router.get("/") { _, _ in
      Response.redirect(to: studio.stores.all.first.map { Link.store($0.name) } ?? "/tests")
    }
    router.get("/assets/:version/:name") { _, context in
      try studio.assets.response(context.parameters.get("name") ?? "")
    }
    JobPages(studio: studio).add(to: router)
    StorePages(studio: studio).add(to: router)
    EntityPages(studio: studio).add(to: router)
    ObjectPages(studio: studio).add(to: router)
    RunPages(studio: studio).add(to: router)
    RecordingPages(studio: studio).add(to: router)
    RunningPages(studio: studio).add(to: router)
    EditPages(studio: studio).add(to: router)
    DeletePages(studio: studio).add(to: router)
    ChangePages(studio: studio).add(to: router)
    ModelPages(studio: studio).add(to: router)
    MigratePages(studio: studio).add(to: router)
    return router
  }
}
