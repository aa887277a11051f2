/*
 * C++ exceptions of the host program, over WebAssembly's own: what libc++abi and libunwind would have, which the toolchain
 * has without exceptions. Compiled and linked into programs that throw or catch. Rules: Itanium C++ ABI, "Exception
 * Handling", level II; the tables are the LSDA as LLVM writes it for WebAssembly, where a landing pad has an index instead
 * of an address and one phase both searches and unwinds. Types compare by the C++ library's own `can_catch`.
 */
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <future>
#include <ios>
#include <new>
#include <stdexcept>
#include <system_error>
#include <typeinfo>
#include <unwind.h>

#define WARPLENS_EXPORT(name) __attribute__((export_name(#name), used, visibility("default")))

/* The tag under which LLVM throws; its value is the address of the exception's header. */
__asm__(".globl __cpp_exception\n"
        ".tagtype __cpp_exception i32\n"
        "__cpp_exception:\n");

namespace {

/** What lies before every thrown object. A destructor returns its argument in WebAssembly. */
struct Exception {
  std::type_info *type;
  void *(*destroy)(void *);
  Exception *nextCaught;
  /** Handlers that are in it; negative while it is thrown again. */
  int handlers;
  int references;
  /** The thrown object, and the same as the handler's type sees it. */
  void *object;
  void *adjusted;
  _Unwind_Exception header;
};

/** libc++abi's private base of all type_info classes; only the order of its virtual functions matters. */
class CatchableType : public std::type_info {
public:
  virtual void noop1() const;
  virtual void noop2() const;
  virtual bool can_catch(const CatchableType *thrown, void *&adjusted) const = 0;
};

/** The exception that `object` was first thrown as; std::rethrow_exception makes others with the same object. */
Exception *ofObject(void *object) { return static_cast<Exception *>(object) - 1; }
Exception *ofHeader(void *header) {
  return reinterpret_cast<Exception *>(static_cast<char *>(header) - offsetof(Exception, header));
}

Exception *caught;
Exception *lastThrown;
unsigned uncaught;

uint32_t readUnsigned(const uint8_t *&at) {
  uint32_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const uint8_t byte = *at++;
    value |= static_cast<uint32_t>(byte & 0x7f) << shift;
    if (!(byte & 0x80)) return value;
  }
}

int32_t readSigned(const uint8_t *&at) {
  uint32_t value = 0;
  for (unsigned shift = 0;;) {
    const uint8_t byte = *at++;
    value |= static_cast<uint32_t>(byte & 0x7f) << shift;
    shift += 7;
    if (byte & 0x80) continue;
    return static_cast<int32_t>(shift < 32 && (byte & 0x40) ? value | (~0u << shift) : value);
  }
}

constexpr uint8_t omitted = 0xff;

const CatchableType *typeAt(const uint8_t *table, uint32_t index) {
  std::type_info *type;
  memcpy(&type, table - index * sizeof type, sizeof type);
  return reinterpret_cast<const CatchableType *>(type);
}

/** A list of `throw(A, B)` lets an exception pass that one of its types catches. */
bool specificationAllows(const uint8_t *table, int32_t index, const CatchableType *thrown, void *object) {
  for (const uint8_t *at = table - index - 1;;) {
    const uint32_t type = readUnsigned(at);
    if (type == 0) return false;
    void *adjusted = object;
    if (typeAt(table, type)->can_catch(thrown, adjusted)) return true;
  }
}

/** The handler of this landing pad that takes the exception, by the number that the code compares with; 0 for none. */
int32_t findHandler(const uint8_t *lsda, uint32_t landingPad, Exception &exception) {
  const uint8_t *at = lsda;
  if (*at++ != omitted) return 0; // no landing pad base is ever written
  const uint8_t typeEncoding = *at++;
  const uint8_t *types = nullptr;
  if (typeEncoding != omitted) {
    const uint32_t offset = readUnsigned(at);
    types = at + offset;
  }
  at++; // call sites are numbers
  const uint32_t callSiteBytes = readUnsigned(at);
  const uint8_t *actions = at + callSiteBytes;
  for (uint32_t index = 0; at < actions; index++) {
    readUnsigned(at);
    const uint32_t action = readUnsigned(at);
    if (index != landingPad) continue;
    if (action == 0) return 0;
    for (const uint8_t *entry = actions + action - 1;;) {
      const int32_t filter = readSigned(entry);
      const uint8_t *link = entry;
      const int32_t next = readSigned(entry);
      void *object = exception.object;
      const auto *thrown = reinterpret_cast<const CatchableType *>(exception.type);
      if (filter > 0) {
        const CatchableType *wanted = typeAt(types, filter);
        if (wanted == nullptr || wanted->can_catch(thrown, object)) {
          exception.adjusted = object;
          return filter;
        }
      } else if (filter < 0 && !specificationAllows(types, filter, thrown, object)) {
        exception.adjusted = object;
        return filter;
      }
      if (next == 0) return 0;
      entry = link + next;
    }
  }
  return 0;
}

[[noreturn]] void raise(Exception *exception) {
  lastThrown = exception;
  __builtin_wasm_throw(0, &exception->header);
}

template <class Type, class... Arguments> [[noreturn]] void throwAs(Arguments... arguments) {
  throw Type(arguments...);
}

} // namespace

extern "C" {

/** How compiled landing pads and this file speak with each other; LLVM knows the name. */
struct {
  uintptr_t landingPad;
  const uint8_t *lsda;
  uintptr_t selector;
} __wasm_lpad_context;

_Unwind_Reason_Code __gxx_wasm_personality_v0(int, _Unwind_Action, _Unwind_Exception_Class, _Unwind_Exception *,
                                              _Unwind_Context *) {
  return _URC_CONTINUE_UNWIND;
}

_Unwind_Reason_Code _Unwind_CallPersonality(void *header) {
  __wasm_lpad_context.selector =
      findHandler(__wasm_lpad_context.lsda, __wasm_lpad_context.landingPad, *ofHeader(header));
  return __wasm_lpad_context.selector ? _URC_HANDLER_FOUND : _URC_CONTINUE_UNWIND;
}

void _Unwind_DeleteException(_Unwind_Exception *) {}

void *__cxa_allocate_exception(size_t bytes) throw() {
  auto *exception = static_cast<Exception *>(calloc(1, sizeof(Exception) + bytes));
  if (exception == nullptr) std::terminate();
  return exception + 1;
}

/** An exception that nobody throws: std::make_exception_ptr makes it. */
__cxxabiv1::__cxa_exception *__cxa_init_primary_exception(void *object, std::type_info *type, void *(*destroy)(void *)) throw() {
  Exception *exception = ofObject(object);
  exception->type = type;
  exception->destroy = destroy;
  exception->object = object;
  return reinterpret_cast<__cxxabiv1::__cxa_exception *>(exception);
}

void __cxa_free_exception(void *object) throw() { free(ofObject(object)); }

void __cxa_throw(void *object, std::type_info *type, void *(*destroy)(void *)) {
  Exception *exception = ofObject(object);
  exception->type = type;
  exception->destroy = destroy;
  exception->references = 1;
  exception->object = object;
  uncaught++;
  raise(exception);
}

void *__cxa_get_exception_ptr(void *header) throw() { return ofHeader(header)->adjusted; }

void *__cxa_begin_catch(void *header) throw() {
  Exception *exception = ofHeader(header);
  exception->handlers = exception->handlers < 0 ? -exception->handlers + 1 : exception->handlers + 1;
  if (caught != exception) {
    exception->nextCaught = caught;
    caught = exception;
  }
  uncaught--;
  // catch (...) alone asks for no handler, and so none is found.
  return exception->adjusted ? exception->adjusted : exception->object;
}

void __cxa_increment_exception_refcount(void *object) throw() {
  if (object) ofObject(object)->references++;
}

void __cxa_decrement_exception_refcount(void *object) throw() {
  if (!object || --ofObject(object)->references > 0) return;
  if (ofObject(object)->destroy) ofObject(object)->destroy(object);
  __cxa_free_exception(object);
}

static void release(Exception *exception) {
  void *object = exception->object;
  if (exception != ofObject(object)) free(exception);
  __cxa_decrement_exception_refcount(object);
}

void __cxa_end_catch() {
  Exception *exception = caught;
  if (exception == nullptr) return;
  if (exception->handlers < 0) {
    // Thrown again by this handler: it lives on.
    if (++exception->handlers == 0) caught = exception->nextCaught;
    return;
  }
  if (--exception->handlers > 0) return;
  caught = exception->nextCaught;
  release(exception);
}

void __cxa_rethrow() {
  Exception *exception = caught;
  if (exception == nullptr) std::terminate();
  exception->handlers = -exception->handlers;
  uncaught++;
  raise(exception);
}

void *__cxa_current_primary_exception() throw() {
  if (caught == nullptr) return nullptr;
  __cxa_increment_exception_refcount(caught->object);
  return caught->object;
}

/** Throws the same object once more: several handlers may hold it, so each throw has its own chain of catches. */
void __cxa_rethrow_primary_exception(void *object) {
  if (object == nullptr) return;
  auto *exception = static_cast<Exception *>(calloc(1, sizeof(Exception)));
  if (exception == nullptr) std::terminate();
  __cxa_increment_exception_refcount(object);
  exception->type = ofObject(object)->type;
  exception->object = object;
  uncaught++;
  raise(exception);
}

unsigned __cxa_uncaught_exceptions() throw() { return uncaught; }
bool __cxa_uncaught_exception() throw() { return uncaught != 0; }
std::type_info *__cxa_current_exception_type() { return caught ? caught->type : nullptr; }

void __cxa_bad_cast() { throw std::bad_cast(); }
void __cxa_bad_typeid() { throw std::bad_typeid(); }
void __cxa_throw_bad_array_new_length() { throw std::bad_array_new_length(); }
void __cxa_call_unexpected(void *) { std::terminate(); }

/** For the message about an exception that nobody caught: its type's name, and what() of a std::exception or nothing. */
WARPLENS_EXPORT(__warplens_uncaught_type) const char *__warplens_uncaught_type() {
  return lastThrown ? lastThrown->type->name() : nullptr;
}
WARPLENS_EXPORT(__warplens_uncaught_text) const char *__warplens_uncaught_text() {
  if (lastThrown == nullptr) return nullptr;
  void *object = lastThrown->object;
  const auto *wanted = reinterpret_cast<const CatchableType *>(&typeid(std::exception));
  if (!wanted->can_catch(reinterpret_cast<const CatchableType *>(lastThrown->type), object)) return nullptr;
  return static_cast<std::exception *>(object)->what();
}

} // extern "C"

/** `operator new` of the C++ library. */
[[noreturn]] void __throw_bad_alloc_shim() { throw std::bad_alloc(); }

/**
 * The compiled part of the C++ library says here which exception it would have thrown ("out_of_range was thrown in
 * -fno-exceptions mode with message ..."), and here it is thrown.
 */
[[noreturn]] void verboseAbort(const char *format, ...) __asm__("_ZNSt3__222__libcpp_verbose_abortEPKcz");
[[noreturn]] void verboseAbort(const char *format, ...) {
  va_list values;
  va_start(values, format);
  char *text = nullptr;
  if (vasprintf(&text, format, values) < 0) text = nullptr;
  va_end(values);
  std::string whole = text ? text : format;
  free(text);
  const size_t nameEnd = whole.find(" was thrown in -fno-exceptions mode");
  const std::string name = nameEnd == std::string::npos ? "" : whole.substr(0, nameEnd);
  const size_t quote = whole.find('"');
  std::string message = quote == std::string::npos ? "" : whole.substr(quote + 1, whole.rfind('"') - quote - 1);
  // std::stoi and its kind; GNU's say their name and no more.
  const size_t reason = message.find(": ");
  if (message.compare(0, 3, "sto") == 0 && reason != std::string::npos) message.resize(reason);
  if (name == "out_of_range") throwAs<std::out_of_range>(message);
  if (name == "invalid_argument") throwAs<std::invalid_argument>(message);
  if (name == "length_error") throwAs<std::length_error>(message);
  if (name == "overflow_error") throwAs<std::overflow_error>(message);
  if (name == "runtime_error") throwAs<std::runtime_error>(message);
  if (name == "logic_error") throwAs<std::logic_error>(message);
  if (name == "domain_error") throwAs<std::domain_error>(message);
  if (name == "range_error") throwAs<std::range_error>(message);
  if (name == "bad_alloc") throwAs<std::bad_alloc>();
  if (name == "bad_array_new_length") throwAs<std::bad_array_new_length>();
  if (name == "bad_cast") throwAs<std::bad_cast>();
  if (name == "ios_base::failure") throwAs<std::ios_base::failure>(message);
  if (name == "future_error") throwAs<std::future_error>(std::future_errc::promise_already_satisfied);
  const size_t code = whole.find("with error ");
  if (name == "system_error" && code != std::string::npos)
    throwAs<std::system_error>(std::error_code(atoi(whole.c_str() + code + 11), std::system_category()), message);
  if (!name.empty()) throwAs<std::runtime_error>(whole);
  fprintf(stderr, "%s\n", whole.c_str());
  abort();
}
